//! The words of a segmented window: how far it has come, and the marks that tell what is live.
//!
//! The argument, S1 to S6, stands at the top of [`segmented`](super::segmented).

use std::convert::Infallible;

use crate::{
    limit::Limit,
    sync::{AtomicU64, Ordering},
    window::gallop::first_where,
};

/// How far a window has come: the word that every claim swaps.
///
/// | bits | what |
/// |---|---|
/// | 0 to 32 | the units that were ever admitted |
/// | 33 to 63 | the borders of segments that were announced, of all limits together |
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State(u64);

impl State {
    /// The window was given up. (The borders run out before.)
    pub(super) const CLOSED: Self = Self(u64::MAX);

    pub(super) const fn new(borders: u64, total: u64) -> Self {
        Self(borders << TOTAL_BITS | total & TOTAL)
    }

    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    pub(super) const fn borders(self) -> u64 {
        self.0 >> TOTAL_BITS
    }

    pub(super) const fn total(self) -> u64 {
        self.0 & TOTAL
    }

    /// After so many more units.
    pub(super) const fn with_more(self, units: u64) -> Self {
        Self::new(self.borders(), self.total().wrapping_add(units))
    }
}

const TOTAL_BITS: u32 = 33;
const TOTAL: u64 = (1 << TOTAL_BITS) - 1;

/// As many borders, or segments, can be told apart (S6).
pub(super) const BORDERS: u64 = (1 << 31) - 1;

/// The marks of one limit.
pub(super) struct Row {
    window: u64,
    /// How long a segment is, in nanoseconds.
    pub(super) length: u64,
    /// The number of the segment that the others are counted from.
    first: u64,
    /// The mark of a segment stands at its number modulo their count.
    marks: Box<[AtomicU64]>,
}

/// The word of a segment.
///
/// | bits | what |
/// |---|---|
/// | 0 to 32 | the total when the segment was announced, or one after it before anything was admitted |
/// | 33 to 63 | the number of the segment, plus one; 0 where there was none yet |
#[derive(Clone, Copy)]
struct Mark(u64);

impl Mark {
    const fn new(segment: u64, total: u64) -> Self {
        Self((segment + 1) << TOTAL_BITS | total & TOTAL)
    }

    /// Whether the mark of this segment is here, one of an earlier segment (or none), or one of a later segment.
    fn compare(self, segment: u64) -> std::cmp::Ordering {
        (self.0 >> TOTAL_BITS).cmp(&(segment + 1))
    }

    /// The units that were admitted after it, up to this total.
    const fn units_until(self, total: u64) -> u64 {
        total.wrapping_sub(self.0) & TOTAL
    }
}

/// What a window tells the one that takes its place: so many live units were charged at this instant or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) at: u64,
    pub(crate) units: u64,
}

/// All that a window tells.
pub(crate) struct Known {
    /// When the newest segment began.
    pub(crate) newest: u64,
    /// How many units are live for any limit.
    pub(crate) live: u64,
    /// In the order of time.
    pub(crate) edges: Vec<Edge>,
}

impl Row {
    /// The marks of the segments that are live at `now`, by what is known of the units, in the order of time.
    pub(super) fn new(limit: &Limit, length: u64, now: u64, total: u64, edges: &[Edge]) -> Self {
        let window = limit.nanos();
        let count = window.div_ceil(length) + 1;
        let marks = (0..count).map(|_| AtomicU64::new(0)).collect();
        let mut row = Self { window, length, first: 0, marks };
        row.first = row.oldest(now / length * length);
        // Of what is known to have been charged at a segment's start or later, the least. Of what was before all that is
        // known, nothing was live.
        let (mut units, mut known) = (total, edges.iter().peekable());
        for segment in row.first..=now / length {
            while let Some(edge) = known.next_if(|edge| edge.at <= segment * length) {
                units = units.min(edge.units);
            }
            let segment = segment - row.first;
            row.marks[row.place(segment)] = AtomicU64::new(Mark::new(segment, total - units).0);
        }
        row
    }

    /// The number of the first segment that is live at this instant.
    pub(super) fn oldest(&self, now: u64) -> u64 {
        now.saturating_sub(self.window) / self.length
    }

    /// When a segment leaves: its end does, a window later.
    pub(super) fn leaves(&self, segment: u64) -> u64 {
        (segment + 1).saturating_mul(self.length).saturating_add(self.window)
    }

    #[allow(clippy::cast_possible_truncation)] // less than their count
    fn place(&self, segment: u64) -> usize {
        (segment % self.marks.len() as u64) as usize
    }

    fn mark(&self, segment: u64) -> Mark {
        // Acquire: pairs with the Release in `publish`: who sees a mark sees how far the window had come for it (S3, S5).
        Mark(self.marks[self.place(segment)].load(Ordering::Acquire))
    }

    /// The segment at this instant, counted from the first: as many borders were passed.
    pub(super) fn segment(&self, now: u64) -> u64 {
        (now / self.length).saturating_sub(self.first)
    }

    /// When a segment, counted from the first, begins.
    pub(super) fn start(&self, segment: u64) -> u64 {
        (self.first + segment).saturating_mul(self.length)
    }

    /// The units that are live at this instant.
    pub(super) fn live(&self, total: u64, now: u64) -> u64 {
        self.units_from(self.oldest(now).saturating_sub(self.first), total)
    }

    /// The units that were charged to this segment and to later ones.
    fn units_from(&self, segment: u64, total: u64) -> u64 {
        let mark = self.mark(segment);
        // Where it is not there, nothing was charged to it or to a later one (S2). Where that of a later lap is, the caller is
        // late, and will find that out (S3).
        if mark.compare(segment).is_eq() { mark.units_until(total) } else { 0 }
    }

    /// The first instant after now at which so few units are live that this holds. It must hold of none.
    pub(super) fn first_instant(&self, total: u64, now: u64, holds: impl Fn(u64) -> bool) -> u64 {
        let oldest = self.oldest(now).saturating_sub(self.first);
        let holds = |segments| Ok::<_, Infallible>(holds(self.units_from(oldest + segments as u64, total)));
        let Ok(found) = first_where(self.marks.len(), holds);
        let segments = found.unwrap_or(self.marks.len());
        self.leaves(self.first + oldest + segments as u64 - 1)
    }

    /// Publishes the marks that are not there of the segment at this instant, which was announced with this total, and of
    /// those before it that are live in it, the earliest first.
    pub(super) fn publish(&self, now: u64, total: u64) {
        let segment = self.segment(now);
        if self.mark(segment).compare(segment).is_ge() {
            return;
        }
        for segment in (segment + 1).saturating_sub(self.marks.len() as u64)..=segment {
            self.publish_one(segment, total);
        }
    }

    fn publish_one(&self, segment: u64, total: u64) {
        loop {
            let seen = self.mark(segment);
            if seen.compare(segment).is_ge() {
                return;
            }
            let _ = self.marks[self.place(segment)].compare_exchange(
                seen.0,
                Mark::new(segment, total).0,
                // Release: pairs with the Acquire in `mark`; whoever sees the mark sees what was announced for it, and the
                // marks before it.
                Ordering::Release,
                // Relaxed: the mark is read again. It may be that of a lap between, by a late caller.
                Ordering::Relaxed,
            );
        }
    }

    /// What is known of the units that are live at this instant, when the newest segment has this one in it: how many were
    /// charged from each segment on, and that none was after the newest.
    pub(super) fn edges(&self, now: u64, total: u64) -> Vec<Edge> {
        let oldest = self.oldest(now).saturating_sub(self.first);
        let newest = self.segment(now);
        let edge = |segment| Edge { at: self.start(segment), units: self.units_from(segment, total) };
        let mut edges: Vec<Edge> = (oldest..=newest).map(edge).collect();
        edges.push(Edge { at: self.start(newest + 1), units: 0 });
        edges
    }
}

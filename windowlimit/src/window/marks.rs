//! The marks of a segmented window: reading them, publishing them, and what they tell the next window.
//!
//! The argument, S1 to S6, stands at the top of [`segmented`](super::segmented).

use crate::{
    limit::Limit,
    sync::{AtomicU64, Ordering},
    window::gallop::first_where,
};

/// The marks of one limit.
pub(super) struct Row {
    window: u64,
    /// How long a segment is, in nanoseconds.
    pub(super) length: u64,
    /// The number of the segment that the others are counted from.
    first: u64,
    /// The newest segment, as a mark: announced before any mark of it is there.
    newest: AtomicU64,
    /// The mark of a segment stands at its number modulo their count.
    marks: Box<[AtomicU64]>,
}

/// The word of a segment.
///
/// | bits | what |
/// |---|---|
/// | 0 to 32 | the total when the segment was first seen |
/// | 33 to 63 | the number of the segment, plus one; 0 where there was none yet |
#[derive(Clone, Copy)]
struct Mark(u64);

impl Mark {
    const VALUE: u64 = (1 << 33) - 1;
    /// As many segments can be told apart.
    const SEGMENTS: u64 = (1 << 31) - 1;

    fn new(segment: u64, total: u64) -> Self {
        Self((segment + 1) << 33 | total & Self::VALUE)
    }

    /// Whose mark it is; there is one.
    fn segment(self) -> u64 {
        (self.0 >> 33) - 1
    }

    /// Whether the mark of this segment is here, one of an earlier segment (or none), or one of a later segment.
    fn compare(self, segment: u64) -> std::cmp::Ordering {
        (self.0 >> 33).cmp(&(segment + 1))
    }

    /// The units that were admitted after it, up to this total.
    fn units_until(self, total: u64) -> u64 {
        total.wrapping_sub(self.0) & Self::VALUE
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

/// There are no more numbers for segments (S6).
pub(super) struct WornOut;

/// The mark of a later lap is where another was looked for: the caller is late.
pub(super) struct Late;

impl Row {
    /// The marks of the segments that are live at `now`, by what is known of the units, in the order of time.
    pub(super) fn new(limit: &Limit, length: u64, now: u64, total: u64, edges: &[Edge]) -> Self {
        let window = limit.nanos();
        let count = window.div_ceil(length) + 1;
        let marks = (0..count).map(|_| AtomicU64::new(0)).collect();
        let mut row = Self { window, length, first: 0, newest: AtomicU64::new(0), marks };
        row.first = row.oldest(row.start(now));
        // Of what is known to have been charged at a segment's start or later, the least. Of what was before all that is
        // known, nothing was live.
        let (mut units, mut known) = (total, edges.iter().peekable());
        for segment in row.first..=now / length {
            while let Some(edge) = known.next_if(|edge| edge.at <= segment * length) {
                units = units.min(edge.units);
            }
            let segment = segment - row.first;
            let mark = Mark::new(segment, total - units);
            row.marks[row.place(segment)] = AtomicU64::new(mark.0);
            row.newest = AtomicU64::new(mark.0);
        }
        row
    }

    /// The number of the first segment that is live at this instant.
    pub(super) fn oldest(&self, now: u64) -> u64 {
        now.saturating_sub(self.window) / self.length
    }

    /// When the segment of this instant began: the earliest instant of a decision, once it has been seen.
    fn start(&self, now: u64) -> u64 {
        now / self.length * self.length
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
        // Acquire: pairs with the Release in `publish`, for the second look at the total (S5).
        Mark(self.marks[self.place(segment)].load(Ordering::Acquire))
    }

    /// The segment at this instant, counted from the first.
    fn segment(&self, now: u64) -> u64 {
        (now / self.length).saturating_sub(self.first)
    }

    /// This instant or, if a later segment was announced, the start of that (S3).
    pub(super) fn time(&self, now: u64) -> u64 {
        let newest = self.newest().segment();
        if newest > self.segment(now) { (self.first + newest) * self.length } else { now }
    }

    fn newest(&self) -> Mark {
        // Acquire: pairs with the Release in `publish`; who takes its value for that of a mark, or announces a later one,
        // has seen the total that it was taken from (S4, S5).
        Mark(self.newest.load(Ordering::Acquire))
    }

    /// The units that are live at this instant.
    pub(super) fn live(&self, total: u64, now: u64) -> Result<u64, Late> {
        self.units_from(self.oldest(now).saturating_sub(self.first), total)
    }

    /// The units that were charged to this segment and to later ones.
    fn units_from(&self, segment: u64, total: u64) -> Result<u64, Late> {
        let mark = self.mark(segment);
        match mark.compare(segment) {
            std::cmp::Ordering::Equal => Ok(mark.units_until(total)),
            // If it was announced, its mark would be this one; if not, nothing was charged to it (S2).
            std::cmp::Ordering::Less => match self.newest() {
                newest if newest.compare(segment).is_ge() => Ok(newest.units_until(total)),
                _ => Ok(0),
            },
            std::cmp::Ordering::Greater => Err(Late),
        }
    }

    /// The first instant after now at which so few units are live that this holds. It must hold of none.
    pub(super) fn first_instant(
        &self,
        total: u64,
        now: u64,
        holds: impl Fn(u64) -> bool,
    ) -> Result<u64, Late> {
        let oldest = self.oldest(now).saturating_sub(self.first);
        let holds = |segments| Ok(holds(self.units_from(oldest + segments as u64, total)?));
        let segments = first_where(self.marks.len(), holds)?.unwrap_or(self.marks.len());
        Ok(self.leaves(self.first + oldest + segments as u64 - 1))
    }

    /// Publishes the mark of the segment at this instant, and of those before it that are live in it and that nobody has
    /// seen; or fails, since the total is no longer this one, or a later segment was announced.
    pub(super) fn publish(
        &self,
        now: u64,
        total: u64,
        is_still: impl FnOnce() -> bool,
    ) -> Result<bool, WornOut> {
        let segment = self.segment(now);
        if segment >= Mark::SEGMENTS {
            return Err(WornOut);
        }
        if self.mark(segment).compare(segment).is_ge() {
            return Ok(true);
        }
        let newest = self.newest();
        let announced = match newest.compare(segment) {
            std::cmp::Ordering::Greater => return Ok(false),
            std::cmp::Ordering::Equal => newest,
            // Looked at after the clock, and after what is replaced: announced totals only increase (S4).
            std::cmp::Ordering::Less if !is_still() => return Ok(false),
            std::cmp::Ordering::Less => Mark::new(segment, total),
        };
        if newest.0 != announced.0
            && self
                .newest
                // Release: pairs with the Acquire in `newest`. It stands before the marks: who sees one of them, or a unit
                // that was charged to it, sees this.
                // Relaxed on failure: all is read again.
                .compare_exchange(newest.0, announced.0, Ordering::Release, Ordering::Relaxed)
                .is_err()
        {
            return Ok(false);
        }
        let mut value = announced.0 & Mark::VALUE;
        for segment in (segment + 1).saturating_sub(self.marks.len() as u64)..=segment {
            value = self.publish_one(segment, value);
        }
        Ok(true)
    }

    /// Publishes the mark of a segment with this value, if it is not there, nor that of a later lap. The value for the
    /// mark after it, which must not be less.
    fn publish_one(&self, segment: u64, value: u64) -> u64 {
        loop {
            let seen = self.mark(segment);
            match seen.compare(segment) {
                std::cmp::Ordering::Greater => return value,
                // It may have been published with a later total than ours.
                std::cmp::Ordering::Equal => {
                    let ahead = seen.0.wrapping_sub(value) & Mark::VALUE;
                    return if ahead <= Mark::VALUE / 2 { value.wrapping_add(ahead) } else { value };
                }
                std::cmp::Ordering::Less => {
                    let _ = self.marks[self.place(segment)].compare_exchange(
                        seen.0,
                        Mark::new(segment, value).0,
                        // Release: pairs with the Acquire in `mark`; whoever sees the mark sees the total that it was
                        // taken from, and the marks before it.
                        Ordering::Release,
                        // Relaxed: the mark is read again. It may be that of a lap between, by a late caller.
                        Ordering::Relaxed,
                    );
                }
            }
        }
    }

    /// What is known of the units that are live at this instant, when the newest segment began: how many were charged
    /// from each segment on, and that none was after the newest.
    pub(super) fn edges(&self, now: u64, total: u64) -> Result<Vec<Edge>, Late> {
        let oldest = self.oldest(now).saturating_sub(self.first);
        let edge = |segment| {
            let at = (self.first + segment) * self.length;
            Ok(Edge { at, units: self.units_from(segment, total)? })
        };
        let mut edges = (oldest..=self.segment(now)).map(edge).collect::<Result<Vec<_>, _>>()?;
        let end = (self.first + self.newest().segment() + 1).saturating_mul(self.length);
        edges.push(Edge { at: end, units: 0 });
        Ok(edges)
    }
}

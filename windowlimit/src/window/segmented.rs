//! Bounded memory, never more than N, and one compare-and-swap: units counted by segments of the window.
//!
//! # In words
//!
//! `total` counts the units that were ever admitted. For each limit there is a row of marks: the *mark* of a segment is
//! the total when that segment was first seen. So the units of the last segments are the total less a mark, and no sum is
//! taken. With 6 in 60 s by three segments of 20 s, and admissions at 5, 25, 27 and 50 s:
//!
//! ```text
//!            segment     0    1    2    3        at 70 s: segment 0 ends at 20 s, so it counts until 80 s. Live are
//!            seen at     5   25   50   70        total - mark 0 = 4. At 80 s it is total - mark 1 = 3: the unit of 5 s
//!            mark        0    1    3    4        has left, 15 s later than in an exact window.
//! ```
//!
//! A segment has the length s = W/n, rounded up, and its number is the instant divided by s: the borders do not depend on
//! the calls. It counts until its end has left the window, so that what is live at `now` are the segments from
//! `(now - W) / s` on; those are at most n + 1, and so many marks are kept around a circle.
//!
//! `total` stands in one word with the *borders*: how many have been announced, of all limits together. That is n + 2 words
//! for a limit with n segments.
//!
//! * **S1, one word.** Who comes with a new segment announces it first, by a compare-and-swap of that word. So whatever is
//!   claimed after that is claimed in the segment of its last border or in a later one, and a segment is announced with the
//!   total that it begins with.
//! * **S2, marks.** Who claims has published the marks that were not there of all segments that are live in the announced
//!   one, the earliest first, or has seen them. So a unit is charged to a segment m only when the marks of all segments up to
//!   m are there that are live in m, and who sees the unit in the total sees them. If a mark is not there, nothing was
//!   charged to its segment or to a later one, and what it has to be is the total. A publisher that stalls can publish no
//!   other: where a unit was charged since, the mark is there, or that of a later lap.
//! * **S3, late callers.** A caller whose segment is older than the announced one is charged to that one. A place that holds
//!   the mark of a later lap shows that a later segment was announced since it read the word: whatever it makes of that, its
//!   claim or its second look fails. Nobody waits for a publisher that stalls.
//! * **S4, window.** live + cost <= N held at the claim for what was charged in the last W and before, since a claim
//!   succeeds only if the word has not changed since it was read, and marks never change. A unit taken at t counts until the
//!   end of its segment has left, at most s later: a segment is announced only if nothing was admitted between the look at
//!   the clock and the announcement, so that what was admitted before it began is below its mark. What came later is above
//!   it, whatever the clock says by then.
//! * **S5, free.** A refusal is right when the word is read for the second time: the marks were no higher than its total
//!   then.
//! * **S6, numbers.** Borders have 31 bits, counted from when this window began, and totals 33, which is enough for
//!   differences. When the borders run out, the window is replaced by one that goes on from the same units. So no silence is
//!   too long.

use crate::{
    clock::{Clock, instant},
    limit::Limit,
    limits::Limits,
    others::Others,
    sync::{AtomicU64, Ordering},
    usage::Usage,
    window::{
        answer::{Full, Receipt, Stop, Told},
        marks::{BORDERS, Edge, Known, Row, State},
    },
};

/// A segmented window over one limit or several.
pub(crate) struct Segmented {
    /// How far it has come: a [`State`].
    state: AtomicU64,
    /// In the order of the limits.
    rows: Box<[Row]>,
}

impl Segmented {
    /// A window that goes on from these units at the instant `now`, with segments of these lengths.
    pub(crate) fn new(limits: &Limits, lengths: &[u64], now: u64, edges: &[Edge]) -> Self {
        let total = edges.iter().map(|edge| edge.units).max().unwrap_or(0);
        let rows = limits.as_slice().iter().zip(lengths);
        let rows: Box<[Row]> =
            rows.map(|(limit, &length)| Row::new(limit, length, now, total, edges)).collect();
        let state = State::new(borders(&rows, now), total);
        Self { state: AtomicU64::new(state.bits()), rows }
    }

    /// Admits a call that takes so many units, if every limit has room for it; each must be able to.
    pub(crate) fn claim<const RECEIPT: bool, C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
        cost: u32,
    ) -> Result<Option<Told>, Stop> {
        loop {
            let view = self.view(limits, since, clock)?;
            if let Some(full) = view.judge(cost) {
                let others = view.beside(&full.limit, full.remaining, 0);
                if self.is_still(view.state) {
                    return Err(Stop::Full(full, others));
                }
                continue;
            }
            // Read before the claim: if that succeeds, nobody has come between.
            let told = RECEIPT.then(|| view.receipt(cost));
            if self.enter(&view, cost)? {
                return Ok(told);
            }
        }
    }

    /// The state of each limit, in their order.
    pub(crate) fn usages<C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
    ) -> Result<Vec<Usage>, Stop> {
        loop {
            let view = self.view(limits, since, clock)?;
            let usages = view.usages(0).collect();
            if self.is_still(view.state) {
                return Ok(usages);
            }
        }
    }

    /// Whether an admission that was made at this instant still counts for any limit.
    pub(crate) fn is_live(&self, at: u64, now: u64) -> bool {
        self.rows.iter().any(|row| at / row.length >= row.oldest(now))
    }

    /// Ends the window: nothing is admitted any more. The instant at which it ends, and what is known.
    pub(crate) fn close(&self, reading: u64) -> (u64, Known) {
        // Acquire: pairs with the Release in `enter`, so that the marks of all that was admitted are seen.
        let state = State::from_bits(self.state.swap(State::CLOSED.bits(), Ordering::Acquire));
        self.known(reading, state)
    }

    /// What is known of the window as it goes on; `None` if it was given up.
    pub(crate) fn look(&self, reading: u64) -> Option<Known> {
        loop {
            let state = self.open_state()?;
            let (_, known) = self.known(reading, state);
            if self.is_still(state) {
                return Some(known);
            }
        }
    }

    /// The instant at which a window that has come so far ends, and what is known of it.
    fn known(&self, reading: u64, state: State) -> (u64, Known) {
        let newest = self.newest(state);
        let now = reading.max(newest);
        let (mut live, mut edges) = (0, Vec::new());
        for row in &self.rows {
            live = live.max(row.live(state.total(), now));
            edges.extend(row.edges(newest, state.total()));
        }
        edges.sort_unstable_by_key(|edge| edge.at);
        (now, Known { newest, live, edges })
    }

    /// When the newest segment began: the earliest instant of a decision (S3).
    fn newest(&self, state: State) -> u64 {
        let passed = state.borders();
        let [first, others @ ..] = &self.rows[..] else { return 0 };
        let latest = first.start(passed);
        if others.is_empty() || passed == 0 {
            return latest;
        }
        // Of several limits, the first instant at which so many borders have been passed.
        let (mut before, mut from) = (0, latest);
        while before + 1 < from {
            let middle = before + (from - before) / 2;
            *(if borders(&self.rows, middle) < passed { &mut before } else { &mut from }) = middle;
        }
        from
    }

    /// Reads how far the window has come, then the clock. (In this order: what has not changed until the claim held for all
    /// that was read between.)
    fn view<'v, C: Clock + ?Sized>(
        &'v self,
        limits: &'v Limits,
        since: u64,
        clock: &C,
    ) -> Result<View<'v>, Stop> {
        let state = self.open_state().ok_or(Stop::Moved)?;
        let reading = instant(clock);
        let now = reading.max(since);
        let borders = borders(&self.rows, now);
        let (now, borders) =
            if borders < state.borders() { (self.newest(state), state.borders()) } else { (now, borders) };
        Ok(View { rows: &self.rows, limits: limits.as_slice(), state, reading, now, borders })
    }

    /// Reads how far the window has come; `None` if it was given up.
    fn open_state(&self) -> Option<State> {
        // Acquire: pairs with the Release in `enter`, so that the marks of every unit in this total are seen (S2).
        let state = State::from_bits(self.state.load(Ordering::Acquire));
        (state != State::CLOSED).then_some(state)
    }

    /// Enters the units, if nobody came between.
    fn enter(&self, view: &View<'_>, cost: u32) -> Result<bool, Stop> {
        if cost == 0 {
            return Ok(self.is_still(view.state));
        }
        if view.borders >= BORDERS {
            return Err(Stop::Outgrown(None));
        }
        let announced = State::new(view.borders, view.state.total());
        // Relaxed: there is nothing to publish, and what others published before goes on through any swap.
        if announced != view.state && !self.swap(view.state, announced, Ordering::Relaxed) {
            return Ok(false);
        }
        for row in &self.rows {
            row.publish(view.now, announced.total());
        }
        // Release: publishes the marks that were published or seen before it; pairs with the Acquire in `open_state`.
        Ok(self.swap(announced, announced.with_more(u64::from(cost)), Ordering::Release))
    }

    fn swap(&self, from: State, to: State, success: Ordering) -> bool {
        // Relaxed on failure: the state is read again.
        self.state.compare_exchange(from.bits(), to.bits(), success, Ordering::Relaxed).is_ok()
    }

    /// Whether nothing was admitted or announced since this was read.
    fn is_still(&self, state: State) -> bool {
        // Relaxed: a mark that was published with a later total was read by an Acquire load, which made that later
        // total visible here too (S5).
        self.state.load(Ordering::Relaxed) == state.bits()
    }
}

/// How many borders were passed at this instant, of all limits together.
fn borders(rows: &[Row], now: u64) -> u64 {
    rows.iter().fold(0, |borders, row| borders.saturating_add(row.segment(now)))
}

/// The window at the instant of a decision.
struct View<'v> {
    rows: &'v [Row],
    limits: &'v [Limit],
    state: State,
    /// What the clock said.
    reading: u64,
    /// The instant of the decision: the reading or, if the clock has gone back, the start of the newest segment.
    now: u64,
    /// How many borders were passed at it.
    borders: u64,
}

impl View<'_> {
    /// The limit that has room for the call last, if not all have now.
    fn judge(&self, cost: u32) -> Option<Full> {
        let mut last = None;
        for (row, limit) in self.rows.iter().zip(self.limits) {
            let most = u64::from(limit.max());
            let fits = |units: u64| units + u64::from(cost) <= most;
            let live = row.live(self.state.total(), self.now);
            if !fits(live) {
                let leaves = row.first_instant(self.state.total(), self.now, fits);
                let remaining = limit.remaining(live);
                let full = Full { limit: *limit, retry_after: leaves - self.reading, remaining };
                last = Full::last([last, Some(full)].into_iter());
            }
        }
        last
    }

    fn receipt(&self, cost: u32) -> Told {
        let usage = Usage::tightest(self.usages(u64::from(cost)));
        let others = self.beside(usage.tightest_limit(), usage.remaining(), u64::from(cost));
        (Receipt { usage, at: self.now, cost }, others)
    }

    /// The state of the limits beside this one, which has so many units left, with so many more units.
    fn beside(&self, named: &Limit, left: u32, more: u64) -> Others {
        Others::of(named, left, self.usages(more))
    }

    /// The state of each limit with so many more units.
    fn usages(&self, more: u64) -> impl Iterator<Item = Usage> + '_ {
        self.rows.iter().zip(self.limits).map(move |(row, limit)| self.usage_of(row, limit, more))
    }

    fn usage_of(&self, row: &Row, limit: &Limit, more: u64) -> Usage {
        let before = row.live(self.state.total(), self.now);
        let leaves = match (before, more) {
            (0, 0) => self.reading,
            (0, _) => row.leaves(self.now / row.length),
            _ => row.first_instant(self.state.total(), self.now, |units| units < before),
        };
        let live = u32::try_from(before + more).unwrap_or(u32::MAX);
        Usage::new(*limit, live, leaves - self.reading)
    }
}

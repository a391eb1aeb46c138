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
//! * **S1, marks.** A unit is charged to a segment whose mark was published before the unit was claimed, with a value that
//!   was the total then. So the units above a mark are all that were charged to its segment and to later ones.
//! * **S2, in order.** Who comes with a new segment announces it first, by its mark in `newest`: from then on all decide in
//!   that segment or in a later one. Then it publishes the marks that are not there of all segments that are live in it,
//!   the earliest first, with the same value. So a unit is charged to a segment m only when the marks of all up to m are
//!   there that are live in m or, if the mark of m was published on the way to a later segment, in that one. Whoever sees
//!   the unit in the total has seen that segment announced, and looks for nothing earlier. So if the mark of an announced
//!   segment is not there, nothing that was seen by who announced was charged to it or to a later one: its mark would be
//!   that of the newest. The mark of a segment is never too high, also if a late caller publishes it.
//! * **S3, late callers.** A caller whose segment is older than the newest one is charged to that one. A place that holds
//!   the mark of a later lap shows that the caller is late, and that a later segment was announced: it starts over in that.
//!   (Taken for the mark that it looked for, it would admit too many.) Nobody waits for a publisher that stalls.
//! * **S4, window.** live + cost <= N held at the claim for what was charged in the last W and before, since a claim
//!   succeeds only if the total has not changed since it was read, and marks never change. A unit taken at t counts
//!   until the end of its segment has left, at most s later: a segment is announced with a total that was looked at after
//!   the clock, so that what was admitted before it began is below its mark. What came later is above it, whatever
//!   the clock says by then.
//! * **S5, free.** A refusal is right when the total is read for the second time: the marks were no higher than it then.
//! * **S6, numbers.** A mark has 31 bits for its segment, counted from the first one of this window, and 33 for its
//!   value, which is enough for differences. When the segments run out (after 2^31 of them), the window is replaced by
//!   one that goes on from the same units. So no silence is too long.

use crate::{
    clock::{Clock, instant},
    limit::Limit,
    limits::Limits,
    others::Others,
    sync::{AtomicU64, Ordering},
    usage::Usage,
    window::{
        answer::{Full, Receipt, Stop, Told},
        marks::{Edge, Known, Late, Row, WornOut},
    },
};

/// A segmented window over one limit or several.
pub(crate) struct Segmented {
    /// The units ever admitted, in 63 bits, or [`CLOSED`].
    total: AtomicU64,
    /// In the order of the limits.
    rows: Box<[Row]>,
}

/// The total of a window that was given up.
const CLOSED: u64 = u64::MAX;
const TOTAL: u64 = u64::MAX >> 1;

impl Segmented {
    /// A window that goes on from these units at the instant `now`, with segments of these lengths.
    pub(crate) fn new(limits: &Limits, lengths: &[u64], now: u64, edges: &[Edge]) -> Self {
        let total = edges.iter().map(|edge| edge.units).max().unwrap_or(0);
        let rows = limits.as_slice().iter().zip(lengths);
        let rows = rows.map(|(limit, &length)| Row::new(limit, length, now, total, edges)).collect();
        Self { total: AtomicU64::new(total), rows }
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
            let Ok(full) = view.judge(cost) else { continue };
            if let Some(full) = full {
                match view.beside(&full.limit, full.remaining, 0) {
                    Ok(others) if self.is_still(view.total) => return Err(Stop::Full(full, others)),
                    _ => continue,
                }
            }
            // Read before the claim: if that succeeds, nobody has come between.
            let Ok(told) = (if RECEIPT { view.receipt(cost).map(Some) } else { Ok(None) }) else {
                continue;
            };
            if self.enter(&view, cost)? {
                return Ok(told);
            }
        }
    }

    /// The state of the tightest limit.
    pub(crate) fn usage<C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
    ) -> Result<Usage, Stop> {
        loop {
            let view = self.view(limits, since, clock)?;
            match view.usage(0) {
                Ok(usage) if self.is_still(view.total) => return Ok(usage),
                _ => {}
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
            match view.usages(0).collect() {
                Ok(usages) if self.is_still(view.total) => return Ok(usages),
                _ => {}
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
        let total = self.total.swap(CLOSED, Ordering::Acquire);
        loop {
            // Who was about to publish marks may still do so, once, and overwrite what is looked for: it was live in an
            // earlier segment only than has now begun.
            if let Ok(known) = self.known(reading, total) {
                return known;
            }
        }
    }

    /// What is known of the window as it goes on; `None` if it was given up.
    pub(crate) fn look(&self, reading: u64) -> Option<Known> {
        loop {
            let total = self.open_total()?;
            match self.known(reading, total) {
                Ok((_, known)) if self.is_still(total) => return Some(known),
                _ => {}
            }
        }
    }

    /// The instant at which a closed window ends, and what is known of it.
    fn known(&self, reading: u64, total: u64) -> Result<(u64, Known), Late> {
        let time = |from| self.rows.iter().fold(from, |now, row| row.time(now));
        let (now, newest) = (time(reading), time(0));
        let (mut live, mut edges) = (0, Vec::new());
        for row in &self.rows {
            live = live.max(row.live(total, now)?);
            edges.extend(row.edges(newest, total)?);
        }
        edges.sort_unstable_by_key(|edge| edge.at);
        Ok((now, Known { newest, live, edges }))
    }

    /// Reads the total, then the clock, then where time stands. (In this order: a total that has not changed until the
    /// claim holds for all that was read between.)
    fn view<'v, C: Clock + ?Sized>(
        &'v self,
        limits: &'v Limits,
        since: u64,
        clock: &C,
    ) -> Result<View<'v>, Stop> {
        let total = self.open_total().ok_or(Stop::Moved)?;
        let reading = instant(clock);
        let now = self.rows.iter().fold(reading.max(since), |now, row| row.time(now));
        Ok(View { rows: &self.rows, limits: limits.as_slice(), total, reading, now })
    }

    /// Reads the total; `None` if the window was given up.
    fn open_total(&self) -> Option<u64> {
        // Acquire: pairs with the Release in `enter`, so that the mark of every unit in this total is seen (S2).
        let total = self.total.load(Ordering::Acquire);
        (total != CLOSED).then_some(total)
    }

    /// Enters the units, if nobody came between.
    fn enter(&self, view: &View<'_>, cost: u32) -> Result<bool, Stop> {
        if cost == 0 {
            return Ok(self.is_still(view.total));
        }
        for row in &self.rows {
            let published = row.publish(view.now, view.total, || self.is_still(view.total));
            if !published.map_err(|WornOut| Stop::Outgrown(None))? {
                return Ok(false);
            }
        }
        let next = view.total.wrapping_add(u64::from(cost)) & TOTAL;
        // Release: publishes the marks that were published or seen before it; pairs with the Acquire in `view`.
        // Relaxed on failure: the total is read again.
        let entered = self.total.compare_exchange(view.total, next, Ordering::Release, Ordering::Relaxed);
        Ok(entered.is_ok())
    }

    /// Whether nothing was admitted since the total was read.
    fn is_still(&self, total: u64) -> bool {
        // Relaxed: a mark that was published with a later total was read by an Acquire load, which made that later
        // total visible here too (S5).
        self.total.load(Ordering::Relaxed) == total
    }
}

/// The window at the instant of a decision.
struct View<'v> {
    rows: &'v [Row],
    limits: &'v [Limit],
    total: u64,
    /// What the clock said.
    reading: u64,
    /// The instant of the decision: the reading or, if the clock has gone back, the start of the newest segment.
    now: u64,
}

impl View<'_> {
    /// The limit that has room for the call last, if not all have now.
    fn judge(&self, cost: u32) -> Result<Option<Full>, Late> {
        let mut last = None;
        for (row, limit) in self.rows.iter().zip(self.limits) {
            let most = u64::from(limit.max());
            let fits = |units: u64| units + u64::from(cost) <= most;
            let live = row.live(self.total, self.now)?;
            if !fits(live) {
                let leaves = row.first_instant(self.total, self.now, fits)?;
                let remaining = limit.remaining(live);
                let full = Full { limit: *limit, retry_after: leaves - self.reading, remaining };
                last = Full::last([last, Some(full)].into_iter());
            }
        }
        Ok(last)
    }

    fn receipt(&self, cost: u32) -> Result<Told, Late> {
        let usage = self.usage(u64::from(cost))?;
        let others = self.beside(usage.tightest_limit(), usage.remaining(), u64::from(cost))?;
        Ok((Receipt { usage, at: self.now, cost }, others))
    }

    /// The state of the limits beside this one, which has so many units left, with so many more units.
    fn beside(&self, named: &Limit, left: u32, more: u64) -> Result<Others, Late> {
        Others::try_of(named, left, self.usages(more))
    }

    /// The state of the tightest limit with so many more units.
    fn usage(&self, more: u64) -> Result<Usage, Late> {
        let mut tightest: Option<Usage> = None;
        for usage in self.usages(more) {
            let usage = usage?;
            tightest = Some(tightest.map_or(usage, |tightest| tightest.or_tighter(usage)));
        }
        Ok(tightest.unwrap_or(Usage::NONE))
    }

    /// The state of each limit with so many more units.
    fn usages(&self, more: u64) -> impl Iterator<Item = Result<Usage, Late>> + '_ {
        self.rows.iter().zip(self.limits).map(move |(row, limit)| self.usage_of(row, limit, more))
    }

    fn usage_of(&self, row: &Row, limit: &Limit, more: u64) -> Result<Usage, Late> {
        let before = row.live(self.total, self.now)?;
        let leaves = match (before, more) {
            (0, 0) => self.reading,
            (0, _) => row.leaves(self.now / row.length),
            _ => row.first_instant(self.total, self.now, |units| units < before)?,
        };
        let live = u32::try_from(before + more).unwrap_or(u32::MAX);
        Ok(Usage::new(*limit, live, leaves - self.reading))
    }
}

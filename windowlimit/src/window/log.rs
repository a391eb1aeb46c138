//! The exact window of one owner: a list of admissions, each with its instant and its units.
//!
//! # In words
//!
//! A record holds an instant and the number of the last unit that was admitted then, counted from the beginning. So the
//! units between two records are a difference, and no sum is ever taken over the list. With costs 3, 2 and 4 at 0, 10
//! and 50 s, and a limit of 10 in 60 s:
//!
//! ```text
//!            at      0   10   50
//!            end     3    5    9      live at 55 s: 9 units. A call of cost 4 is 3 units too large.
//!                    ^ head           The first record that ends 3 units after the head's start is the one at 0:
//!                                     there is room at 60 s.
//! ```
//!
//! The *head* of a limit is the first record that is live for it. It is looked for from the front, near which it is, as
//! expired records are dropped there; and the record that has to leave is looked for from the head.
//!
//! * **L1, order.** Instants increase strictly along the list (admissions of one instant share a record), and no decision
//!   is made before the newest one. So what had expired at an admission stays so, and may be dropped.
//! * **L2, window.** The units that are live for a limit are those after the record before its head: exactly the
//!   admissions of the last w.
//! * **L3, refund.** A refund takes its units out of the record of its instant, and with it out of the end of every later
//!   one. Units of one instant expire together, so it does not matter whose they were. An expired record is not
//!   touched.
//! * **L4, memory.** Each admission drops up to [`DROPPED`] records that are older than the longest window, or all if all
//!   are: the list is never much longer than what is live, and no call pays for a sweep.
//!
//! The limits come with each call, and may be others each time: what is remembered does not depend on them, but for the
//! longest window that any of them has.

use std::{collections::VecDeque, convert::Infallible};

use crate::{
    limit::Limit,
    usage::Usage,
    window::{answer::Full, gallop::first_where, rules::Rules},
};

/// How many expired records an admission drops at most, while others are live: more than the one that it adds.
const DROPPED: usize = 4;

/// An exact window, which decides for whoever holds it alone.
#[derive(Clone)]
pub(crate) struct Log {
    records: VecDeque<Record>,
    /// The number of the last unit before the first record. Numbers wrap around: only differences are looked at, and
    /// they are far smaller.
    before: u64,
    /// The instant of the newest admission, also if it was given back; time does not go back behind it.
    newest: u64,
}

/// Admissions of one instant.
#[derive(Clone, Copy)]
struct Record {
    at: u64,
    /// The number of the last of its units.
    end: u64,
}

/// Units that were admitted at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Admission {
    pub(crate) at: u64,
    pub(crate) units: u64,
}

impl Log {
    /// A window that goes on from these admissions, oldest first.
    pub(crate) fn new(admissions: impl IntoIterator<Item = Admission>) -> Self {
        let mut log = Self { records: VecDeque::new(), before: 0, newest: 0 };
        for Admission { at, units } in admissions {
            log.enter(at, units);
        }
        log
    }

    /// Admits a call that takes so many units, if every limit has room for it. The instant at which it was entered.
    pub(crate) fn claim(&mut self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
        let now = self.time(rules, reading);
        let each = rules.limits.iter().map(|limit| self.judge(limit, rules.forgotten, now, reading, cost));
        if let Some(full) = Full::last(each) {
            return Err(full);
        }
        if cost > 0 {
            self.drop_expired(rules.longest, now);
            self.enter(now, u64::from(cost));
        }
        Ok(now)
    }

    /// The state of the tightest limit.
    pub(crate) fn usage(&self, rules: &Rules<'_>, reading: u64) -> Usage {
        let now = self.time(rules, reading);
        Usage::tightest(rules.limits.iter().map(|limit| self.usage_of(limit, rules.forgotten, now, reading)))
    }

    /// Gives back an admission, as long as it counts in the longest window (L3).
    pub(crate) fn refund(&mut self, rules: &Rules<'_>, reading: u64, given: Admission) {
        if given.at > rules.forgotten {
            self.take_out(rules.longest, self.time(rules, reading), given);
        }
    }

    /// The same at an instant.
    pub(crate) fn take_out(&mut self, window: u64, now: u64, given: Admission) {
        let Ok(place) = self.records.binary_search_by_key(&given.at, |record| record.at) else { return };
        let units = self.records[place].end.wrapping_sub(self.end_before(place));
        if place < self.head(window, 0, now) || units < given.units {
            return;
        }
        for record in self.records.range_mut(place..) {
            record.end = record.end.wrapping_sub(given.units);
        }
        if units == given.units {
            self.records.remove(place);
        }
    }

    /// What it remembers, oldest first.
    pub(crate) fn admissions(&self) -> impl Iterator<Item = Admission> + '_ {
        let mut before = self.before;
        let admission = move |&Record { at, end }| {
            let units = end.wrapping_sub(before);
            before = end;
            Admission { at, units }
        };
        self.records.iter().map(admission)
    }

    /// A window that decides as this one when so many more units have room. For a limit of n that is by the records from
    /// n + 1 units back on, for as many units; what lies between is one record, at the instant of its newest. (What that
    /// counts for too long is more than a limit has, and comes before all that decides.) With `u64::MAX` units it is a copy,
    /// for any limits.
    pub(crate) fn decisive(&self, limits: &[Limit], units: u64) -> Self {
        if units == u64::MAX {
            return self.clone();
        }
        let end = self.end_before(self.records.len());
        let back = |record: &Record| end.wrapping_sub(record.end);
        // From this record on, and up to that one: those that hold a unit so far back.
        let mut ranges: Vec<_> = limits
            .iter()
            .map(|limit| {
                let first = u64::from(limit.max()) + 1;
                let last = first.saturating_sub(units.saturating_add(1));
                let from = self.records.partition_point(|record| back(record) >= first);
                (from, self.records.partition_point(|record| back(record) >= last.max(1)) + 1)
            })
            .collect();
        ranges.sort_unstable();
        let mut log = Self { records: VecDeque::new(), before: self.before, newest: self.newest };
        let mut next = ranges.first().map_or(0, |&(from, _)| from);
        log.before = self.end_before(next);
        for (from, to) in ranges {
            if next < from {
                log.records.push_back(self.records[from - 1]);
            }
            let to = to.min(self.records.len());
            log.records.extend(self.records.range(next.max(from).min(to)..to));
            next = next.max(to);
        }
        if next < self.records.len() {
            log.records.extend(self.records.back());
        }
        log
    }

    /// The instant of a decision: the reading or, if the clock has gone back, the newest admission (L1).
    pub(crate) fn time(&self, rules: &Rules<'_>, reading: u64) -> u64 {
        reading.max(rules.since).max(self.newest)
    }

    pub(crate) fn newest(&self) -> u64 {
        self.newest
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// When this limit has room for the call, if not now.
    pub(crate) fn judge(
        &self,
        limit: &Limit,
        forgotten: u64,
        now: u64,
        reading: u64,
        cost: u32,
    ) -> Option<Full> {
        let head = self.head(limit.nanos(), forgotten, now);
        let live = self.units_from(head);
        let missing = (live + u64::from(cost)).saturating_sub(u64::from(limit.max()));
        // There is such a record: a call that can fit at all is never larger than what is live and what is free.
        let leaves = self.first_ending(head, missing)?.at.saturating_add(limit.nanos());
        Some(Full { limit: *limit, retry_after: leaves - reading, remaining: limit.remaining(live) })
    }

    pub(crate) fn usage_of(&self, limit: &Limit, forgotten: u64, now: u64, reading: u64) -> Usage {
        let head = self.head(limit.nanos(), forgotten, now);
        let oldest = self.first_ending(head, 1);
        let reset_after = oldest.map_or(0, |record| record.at.saturating_add(limit.nanos()) - reading);
        let live = u32::try_from(self.units_from(head)).unwrap_or(u32::MAX);
        Usage::new(*limit, live, reset_after)
    }

    /// How many records stand before the first that is live in this window (L2).
    fn head(&self, window: u64, forgotten: u64, now: u64) -> usize {
        let is_live = |places| {
            let at = self.records[places - 1].at;
            Ok(at > forgotten && now < at.saturating_add(window))
        };
        search(self.records.len(), is_live).map_or(self.records.len(), |places| places - 1)
    }

    /// The first record from this one on by whose end so many units have been counted, if that is any.
    fn first_ending(&self, head: usize, units: u64) -> Option<Record> {
        if units == 0 {
            return None;
        }
        let before = self.end_before(head);
        let reaches = |places| Ok(self.records[head + places - 1].end.wrapping_sub(before) >= units);
        Some(self.records[head + search(self.records.len() - head, reaches)? - 1])
    }

    /// How many units there are from this record on.
    fn units_from(&self, head: usize) -> u64 {
        self.end_before(self.records.len()).wrapping_sub(self.end_before(head))
    }

    /// The number of the last unit before a record.
    fn end_before(&self, place: usize) -> u64 {
        place.checked_sub(1).map_or(self.before, |before| self.records[before].end)
    }

    /// Adds units of an instant that is not before the newest.
    pub(crate) fn enter(&mut self, at: u64, units: u64) {
        let end = self.end_before(self.records.len()).wrapping_add(units);
        self.newest = self.newest.max(at);
        match self.records.back_mut() {
            Some(newest) if newest.at == at => newest.end = end,
            _ => self.records.push_back(Record { at, end }),
        }
    }

    /// Drops a few of the records that have expired, or all if all have (L4).
    pub(crate) fn drop_expired(&mut self, longest: u64, now: u64) {
        let expired = self.head(longest, 0, now);
        let all = expired == self.records.len();
        let dropped = if all { expired } else { expired.min(DROPPED) };
        self.before = self.end_before(dropped);
        if all {
            // Records need no dropping one by one: this is one step.
            self.records.clear();
        } else {
            self.records.drain(..dropped);
        }
    }
}

fn search(last: usize, holds: impl FnMut(usize) -> Result<bool, Infallible>) -> Option<usize> {
    match first_where(last, holds) {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

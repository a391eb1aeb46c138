//! An exact window.

use windowlimit::Limit;

use super::{Entry, last, tightest};
use crate::subject::{Answer, State, Subject, nanos};

/// An exact window over some limits.
#[derive(Clone)]
pub struct Oracle {
    limits: Vec<Limit>,
    /// In the order of time.
    entries: Vec<Entry>,
    admitted: usize,
    /// The instant of the newest admission, or of the newest change of the limits.
    newest: u64,
}

impl Oracle {
    #[must_use]
    pub fn new(limits: &[Limit]) -> Self {
        Self { limits: limits.to_vec(), entries: Vec::new(), admitted: 0, newest: 0 }
    }

    /// When all limits have room for a call: now, or the first instant after it.
    #[must_use]
    pub fn room_at(&self, reading: u64, cost: u32) -> u64 {
        let time = self.time(reading);
        let rooms = self.limits.iter().filter_map(|&limit| self.free_at(limit, time, cost));
        rooms.max().unwrap_or(time)
    }

    /// Enters an admission that another has made.
    pub fn enter(&mut self, reading: u64, units: u32) {
        self.newest = self.time(reading);
        self.entries.push(Entry { at: self.newest, units, number: self.admitted });
        self.admitted += 1;
    }

    /// The instant of a decision. A clock that went back says nothing: the time is that of the newest admission.
    fn time(&self, reading: u64) -> u64 {
        reading.max(self.newest)
    }

    fn live(&self, limit: Limit, time: u64) -> u64 {
        let live = self.entries.iter().filter(|entry| time < entry.at + nanos(limit.window()));
        live.map(|entry| u64::from(entry.units)).sum()
    }

    fn has_room(&self, limit: Limit, time: u64, cost: u32) -> bool {
        self.live(limit, time) + u64::from(cost) <= u64::from(limit.max())
    }

    /// The first instant at which the limit has room, if not now: room comes only where an admission leaves.
    fn free_at(&self, limit: Limit, time: u64, cost: u32) -> Option<u64> {
        if self.has_room(limit, time, cost) {
            return None;
        }
        let leaves = self.entries.iter().map(|entry| entry.at + nanos(limit.window()));
        leaves.filter(|&leaves| leaves > time).find(|&leaves| self.has_room(limit, leaves, cost))
    }

    fn state(&self, limit: Limit, reading: u64) -> State {
        let time = self.time(reading);
        let live = u32::try_from(self.live(limit, time)).expect("no more than fits");
        let leaves = self.entries.iter().map(|entry| entry.at + nanos(limit.window()));
        State {
            limit,
            live,
            remaining: limit.max().saturating_sub(live),
            reset_after: leaves.filter(|&leaves| leaves > time).min().map_or(0, |leaves| leaves - reading),
        }
    }
}

impl Subject for Oracle {
    fn claim(&mut self, reading: u64, cost: u32) -> Answer {
        if self.limits.iter().any(|limit| cost > limit.max()) {
            return Answer::Never;
        }
        let time = self.time(reading);
        let each = self.limits.iter();
        if let Some((limit, free_at)) =
            last(each.map(|&limit| self.free_at(limit, time, cost).map(|free_at| (limit, free_at))))
        {
            return Answer::Refused { limit, retry_after: free_at - reading };
        }
        if cost > 0 {
            self.enter(reading, cost);
        } else {
            self.admitted += 1;
        }
        let State { remaining, reset_after, .. } = self.usage(reading);
        Answer::Admitted { remaining, reset_after }
    }

    fn usage(&mut self, reading: u64) -> State {
        tightest(self.limits.iter().map(|&limit| self.state(limit, reading)))
    }

    fn refund(&mut self, reading: u64, admission: usize) {
        let time = self.time(reading);
        let longest = self.limits.iter().map(|limit| nanos(limit.window())).max().expect("it has limits");
        self.entries.retain(|entry| entry.number != admission || time >= entry.at + longest);
    }

    fn reset(&mut self, _: u64) {
        self.entries.clear();
        self.newest = 0;
    }

    fn set_limits(&mut self, reading: u64, limits: &[Limit]) {
        self.newest = self.time(reading);
        let longest = self.limits.iter().map(|limit| nanos(limit.window())).max().expect("it has limits");
        self.entries.retain(|entry| self.newest < entry.at + longest);
        self.limits = limits.to_vec();
    }
}

//! The promise of an exact window, read off the words: a sorted list of admissions, counted by hand.
//!
//! It is slow on purpose. Nothing in it is shared with an engine.

use windowlimit::Limit;

use crate::subject::{Answer, State, Subject, nanos};

/// An exact window over some limits.
pub struct Oracle {
    limits: Vec<Limit>,
    /// The instants of all admissions, in order.
    admissions: Vec<u64>,
}

impl Oracle {
    #[must_use]
    pub fn new(limits: &[Limit]) -> Self {
        Self { limits: limits.to_vec(), admissions: Vec::new() }
    }

    /// The instant of a decision. A clock that went back says nothing: the time is that of the newest admission.
    fn time(&self, reading: u64) -> u64 {
        self.admissions.last().map_or(reading, |&newest| newest.max(reading))
    }

    /// The instants at which the admissions that count for this limit leave, in order.
    fn leaves(&self, limit: Limit, time: u64) -> impl Iterator<Item = u64> + '_ {
        self.admissions.iter().map(move |&at| at + nanos(limit.window())).filter(move |&leaves| leaves > time)
    }

    fn has_room(&self, limit: Limit, time: u64) -> bool {
        self.leaves(limit, time).count() < limit.max() as usize
    }

    /// The first instant at which the limit has room, if not now: room comes only where an admission leaves.
    fn free_at(&self, limit: Limit, time: u64) -> Option<u64> {
        if self.has_room(limit, time) {
            return None;
        }
        self.leaves(limit, time).find(|&leaves| self.has_room(limit, leaves))
    }

    fn state(&self, limit: Limit, reading: u64) -> State {
        let time = self.time(reading);
        let live = u32::try_from(self.leaves(limit, time).count()).expect("few");
        State {
            limit,
            live,
            remaining: limit.max() - live,
            reset_after: self.leaves(limit, time).next().map_or(0, |leaves| leaves - reading),
        }
    }
}

impl Subject for Oracle {
    fn call(&mut self, reading: u64) -> Answer {
        if self.limits.iter().any(|limit| limit.max() == 0) {
            return Answer::Never;
        }
        let time = self.time(reading);
        let mut last: Option<(Limit, u64)> = None;
        for &limit in &self.limits {
            if let Some(free_at) = self.free_at(limit, time)
                && last.is_none_or(|(_, last)| free_at > last)
            {
                last = Some((limit, free_at));
            }
        }
        if let Some((limit, free_at)) = last {
            return Answer::Refused { limit, retry_after: free_at - reading };
        }
        self.admissions.push(time);
        let State { remaining, reset_after, .. } = self.usage(reading);
        Answer::Admitted { remaining, reset_after }
    }

    fn usage(&mut self, reading: u64) -> State {
        // The least left, of equals the one that stays so for the longest, of equals the first.
        self.limits
            .iter()
            .map(|&limit| self.state(limit, reading))
            .reduce(|tightest, other| {
                let left = |state: &State| (state.remaining, std::cmp::Reverse(state.reset_after));
                if left(&other) < left(&tightest) { other } else { tightest }
            })
            .expect("a subject has limits")
    }
}

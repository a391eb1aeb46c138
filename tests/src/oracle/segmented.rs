//! A segmented window, from the words of its documentation: a unit counts until the end of its segment has left.

use windowlimit::Limit;

use super::{Entry, last, tightest};
use crate::subject::{Answer, State, Subject, nanos};

/// A segmented window over some limits, each in so many segments.
#[derive(Clone)]
pub struct Segmented {
    segments: u64,
    limits: Vec<Limit>,
    entries: Vec<Entry>,
    admitted: usize,
    /// For each limit, the newest segment that was seen by an admission, or by the first call.
    newest: Option<Vec<u64>>,
    /// The instant at which the limits were changed.
    since: u64,
    /// Permits of admissions before this one give nothing back.
    voided: usize,
    /// Whether the window begins with the first call, whatever comes of it. That of a key begins with an admission.
    begins_with_a_call: bool,
}

impl Segmented {
    #[must_use]
    pub fn new(limits: &[Limit], segments: u32) -> Self {
        Self {
            segments: u64::from(segments),
            limits: limits.to_vec(),
            entries: Vec::new(),
            admitted: 0,
            newest: None,
            since: 0,
            voided: 0,
            begins_with_a_call: true,
        }
    }

    /// The window of one key among others.
    #[must_use]
    pub fn of_a_key(limits: &[Limit], segments: u32) -> Self {
        Self { begins_with_a_call: false, ..Self::new(limits, segments) }
    }

    /// How long a segment is.
    #[must_use]
    pub fn length(&self, limit: Limit) -> u64 {
        nanos(limit.window()).div_ceil(self.segments)
    }

    /// The instant of a decision. A clock that went back says nothing: the newest segment has begun.
    fn time(&self, reading: u64) -> u64 {
        let newest = self.newest.iter().flatten().zip(&self.limits);
        let starts = newest.map(|(segment, &limit)| segment * self.length(limit));
        starts.fold(reading.max(self.since), u64::max)
    }

    fn see(&mut self, time: u64) {
        self.newest = Some(self.limits.iter().map(|&limit| time / self.length(limit)).collect());
    }

    /// When a unit leaves: the end of its segment does.
    fn leaves(&self, limit: Limit, at: u64) -> u64 {
        let length = self.length(limit);
        (at / length + 1).saturating_mul(length).saturating_add(nanos(limit.window()))
    }

    fn live(&self, limit: Limit, time: u64) -> u64 {
        let live = self.entries.iter().filter(|entry| time < self.leaves(limit, entry.at));
        live.map(|entry| u64::from(entry.units)).sum()
    }

    fn has_room(&self, limit: Limit, time: u64, cost: u32) -> bool {
        self.live(limit, time) + u64::from(cost) <= u64::from(limit.max())
    }

    fn free_at(&self, limit: Limit, time: u64, cost: u32) -> Option<u64> {
        if self.has_room(limit, time, cost) {
            return None;
        }
        let leaves = self.entries.iter().map(|entry| self.leaves(limit, entry.at));
        leaves.filter(|&leaves| leaves > time && self.has_room(limit, leaves, cost)).min()
    }

    /// What is known of a unit that came at an instant, when limits change: the end of its segment, as long as that was
    /// live when the newest was seen, or else the start of the oldest that was; of all limits, the earliest.
    fn known_to_be_before(&self, at: u64) -> u64 {
        let starts = self.newest.iter().flatten().zip(&self.limits);
        let seen = starts.map(|(newest, &limit)| newest * self.length(limit)).max().expect("it has limits");
        let newest = self.newest.as_ref().expect("there has been a call");
        let ends = self.limits.iter().zip(newest).map(|(&limit, &newest)| {
            let length = self.length(limit);
            let oldest = seen.saturating_sub(nanos(limit.window())) / length;
            (at / length + 1).max(oldest).min(newest + 1) * length
        });
        ends.min().expect("it has limits")
    }

    fn state(&self, limit: Limit, reading: u64) -> State {
        let time = self.time(reading);
        let live = u32::try_from(self.live(limit, time)).expect("no more than fits");
        let leaves = self.entries.iter().map(|entry| self.leaves(limit, entry.at));
        State {
            limit,
            live,
            remaining: limit.max().saturating_sub(live),
            reset_after: leaves.filter(|&leaves| leaves > time).min().map_or(0, |leaves| leaves - reading),
        }
    }
}

/// A limiter's instants begin at 1, so that the first segment is a nanosecond shorter than the others.
const FIRST_INSTANT: u64 = 1;

impl Subject for Segmented {
    fn claim(&mut self, reading: u64, cost: u32) -> Answer {
        let reading = reading + FIRST_INSTANT;
        if self.newest.is_none() && self.begins_with_a_call {
            self.see(reading);
        }
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
            self.see(time);
            self.entries.push(Entry { at: time, units: cost, number: self.admitted });
        }
        self.admitted += 1;
        let State { remaining, reset_after, .. } = self.usage(reading - FIRST_INSTANT);
        Answer::Admitted { remaining, reset_after }
    }

    fn usage(&mut self, reading: u64) -> State {
        let reading = reading + FIRST_INSTANT;
        tightest(self.limits.iter().map(|&limit| self.state(limit, reading)))
    }

    fn refund(&mut self, reading: u64, admission: usize) {
        let time = self.time(reading + FIRST_INSTANT);
        let is_live = |entry: &Entry| self.limits.iter().any(|&limit| time < self.leaves(limit, entry.at));
        let given_back =
            |entry: &Entry| entry.number == admission && admission >= self.voided && is_live(entry);
        let entries = self.entries.iter().filter(|entry| !given_back(entry)).copied().collect();
        self.entries = entries;
    }

    fn reset(&mut self, reading: u64) {
        self.entries.clear();
        self.since = 0;
        self.voided = self.admitted;
        // The new window begins at once.
        self.see(reading + FIRST_INSTANT);
    }

    fn set_limits(&mut self, reading: u64, limits: &[Limit]) {
        let time = self.time(reading + FIRST_INSTANT);
        let is_live = |entry: &Entry| self.limits.iter().any(|&limit| time < self.leaves(limit, entry.at));
        let latest = |entry: Entry| Entry { at: (self.known_to_be_before(entry.at) - 1).min(time), ..entry };
        let entries =
            self.entries.iter().filter(|entry| is_live(entry)).map(|&entry| latest(entry)).collect();
        let lengths = |limits: &[Limit]| limits.iter().map(|&limit| self.length(limit)).collect::<Vec<_>>();
        if lengths(&self.limits) != lengths(limits) {
            self.voided = self.admitted;
        }
        self.entries = entries;
        self.limits = limits.to_vec();
        self.since = time;
        self.see(time);
    }
}

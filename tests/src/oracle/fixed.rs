//! A fixed window: it begins with an admission, and holds what comes before it ends.

use windowlimit::Limit;

use super::{Entry, last, tightest};
use crate::subject::{Answer, State, Subject, nanos};

/// A fixed window for each of some limits.
#[derive(Clone)]
pub struct Fixed {
    windows: Vec<Window>,
    admitted: usize,
    /// The instant at which the limits were changed.
    since: u64,
    /// Permits of admissions before this one give nothing back.
    voided: usize,
}

#[derive(Clone)]
struct Window {
    limit: Limit,
    /// Of the newest window, which may have ended, if one has begun.
    start: Option<u64>,
    entries: Vec<Entry>,
}

impl Window {
    fn end(&self) -> u64 {
        self.start.expect("it has begun") + nanos(self.limit.window())
    }

    fn is_open(&self, time: u64) -> bool {
        self.start.is_some() && time < self.end()
    }

    fn units(&self, time: u64) -> u64 {
        let entries = if self.is_open(time) { &self.entries[..] } else { &[] };
        entries.iter().map(|entry| u64::from(entry.units)).sum()
    }
}

impl Fixed {
    #[must_use]
    pub fn new(limits: &[Limit]) -> Self {
        let windows =
            limits.iter().map(|&limit| Window { limit, start: None, entries: Vec::new() }).collect();
        Self { windows, admitted: 0, since: 0, voided: 0 }
    }

    fn time(&self, reading: u64) -> u64 {
        self.windows.iter().filter_map(|window| window.start).fold(reading.max(self.since), u64::max)
    }
}

impl Subject for Fixed {
    fn claim(&mut self, reading: u64, cost: u32) -> Answer {
        if self.windows.iter().any(|window| cost > window.limit.max()) {
            return Answer::Never;
        }
        let time = self.time(reading);
        let refusals = self.windows.iter().map(|window| {
            let fits = window.units(time) + u64::from(cost) <= u64::from(window.limit.max());
            (!fits).then(|| (window.limit, window.end()))
        });
        if let Some((limit, free_at)) = last(refusals) {
            return Answer::Refused { limit, retry_after: free_at - reading };
        }
        if cost > 0 {
            for window in &mut self.windows {
                if !window.is_open(time) {
                    *window = Window { limit: window.limit, start: Some(time), entries: Vec::new() };
                }
                window.entries.push(Entry { at: time, units: cost, number: self.admitted });
            }
        }
        self.admitted += 1;
        let State { remaining, reset_after, .. } = self.usage(reading);
        Answer::Admitted { remaining, reset_after }
    }

    fn usage(&mut self, reading: u64) -> State {
        let time = self.time(reading);
        tightest(self.windows.iter().map(|window| {
            let live = u32::try_from(window.units(time)).expect("no more than fits");
            State {
                limit: window.limit,
                live,
                remaining: window.limit.max().saturating_sub(live),
                reset_after: if live > 0 { window.end() - reading } else { 0 },
            }
        }))
    }

    fn refund(&mut self, reading: u64, admission: usize) {
        let time = self.time(reading);
        for window in self.windows.iter_mut().filter(|window| window.is_open(time)) {
            window.entries.retain(|entry| entry.number != admission || admission < self.voided);
        }
    }

    fn reset(&mut self, _: u64) {
        self.since = 0;
        for window in &mut self.windows {
            *window = Window { limit: window.limit, start: None, entries: Vec::new() };
        }
    }

    /// A limit goes on with the window of the same length or, if there is none, with the longest, the last of equals.
    fn set_limits(&mut self, reading: u64, limits: &[Limit]) {
        if !self.windows.iter().map(|window| window.limit.window()).eq(limits.iter().map(Limit::window)) {
            self.voided = self.admitted;
        }
        self.since = self.time(reading);
        let heir = |&limit: &Limit| {
            let same = self.windows.iter().find(|window| window.limit.window() == limit.window());
            let longest = || self.windows.iter().max_by_key(|window| window.limit.window());
            let window = same.or_else(longest).expect("it has limits");
            if window.is_open(self.since) {
                Window { limit, ..window.clone() }
            } else {
                Window { limit, start: None, entries: Vec::new() }
            }
        };
        self.windows = limits.iter().map(heir).collect();
    }
}

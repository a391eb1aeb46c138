//! What a window makes of some calls.

use std::time::Duration;

use windowlimit::{Algorithm, Limit, Limiter, ManualClock};

use crate::traffic::Traffic;

/// The limit: so many calls a minute.
pub(crate) const LIMIT: u32 = 10;
/// All times here are in milliseconds.
pub(crate) const MINUTE: u64 = 60_000;
/// How long the calls go on.
pub(crate) const SPAN: u64 = 4 * MINUTE;

/// Some calls, as one window answered them.
pub(crate) struct Play {
    pub(crate) algorithm: Algorithm,
    pub(crate) calls: Vec<Call>,
}

#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) at: u64,
    pub(crate) admitted: bool,
}

/// The minute with the most admissions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fullest {
    /// Its end, at the last of them.
    pub(crate) end: u64,
    pub(crate) count: u32,
}

impl Play {
    pub(crate) fn new(algorithm: Algorithm, traffic: &Traffic) -> Self {
        let clock = ManualClock::starting_at(0);
        let limiter = Limiter::builder()
            .limit(Limit::per_minute(LIMIT))
            .algorithm(algorithm)
            .clock(&clock)
            .build()
            .expect("a minute can be cut into so few segments");
        let mut now = 0;
        let calls = traffic.calls.iter().map(|&at| {
            clock.advance(Duration::from_millis(at - now));
            now = at;
            Call { at, admitted: limiter.check().is_ok() }
        });
        Self { algorithm, calls: calls.collect() }
    }

    pub(crate) fn admitted(&self) -> usize {
        self.admissions().count()
    }

    pub(crate) fn refused(&self) -> usize {
        self.calls.len() - self.admitted()
    }

    /// How many were admitted in the minute that ends at an instant, for each instant at which some come or leave.
    ///
    /// An admission counts for a minute, and no more at its end: at one instant some leave before others come.
    pub(crate) fn trailing(&self) -> Vec<(u64, u32)> {
        let comes = self.admissions().map(|at| (at, true));
        let leaves = self.admissions().map(|at| (at + MINUTE, false));
        let mut changes: Vec<(u64, bool)> = comes.chain(leaves).filter(|&(at, _)| at < SPAN).collect();
        changes.sort_unstable();

        let mut count = 0;
        let mut trailing = vec![(0, 0)];
        for (at, comes) in changes {
            count = if comes { count + 1 } else { count - 1 };
            trailing.pop_if(|&mut (last, _)| last == at);
            trailing.push((at, count));
        }
        trailing
    }

    /// The fullest minute; of several, the first that lies wholly in what is shown, or else the first.
    pub(crate) fn fullest(&self) -> Fullest {
        let minutes = || self.trailing().into_iter().map(|(end, count)| Fullest { end, count });
        let most = minutes().map(|minute| minute.count).max().unwrap_or(0);
        let mut fullest = minutes().filter(|minute| minute.count == most);
        let first = fullest.next().unwrap_or_default();
        if first.end >= MINUTE { first } else { fullest.find(|minute| minute.end >= MINUTE).unwrap_or(first) }
    }

    fn admissions(&self) -> impl Iterator<Item = u64> {
        self.calls.iter().filter(|call| call.admitted).map(|call| call.at)
    }
}

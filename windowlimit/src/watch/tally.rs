//! What was counted of a limiter.

use std::time::{Duration, Instant};

use crate::{
    error::{RateLimitExceeded, Reason},
    sync::unmodelled::{AtomicU64, Ordering},
};

/// What came of a call.
#[derive(Clone, Copy)]
pub(crate) enum Outcome<'r> {
    Admitted,
    /// After it had waited in line.
    Waited,
    Refused(&'r RateLimitExceeded),
    /// It would have been refused, or made to wait.
    #[cfg_attr(not(all(feature = "metrics", feature = "tracing")), allow(dead_code))]
    // only these tell why, and when it would have been
    LetThrough(Reason, Option<Duration>),
}

/// Counters of one limiter. They are written only while somebody has asked for them.
pub(crate) struct Tally {
    began: Instant,
    admitted: AtomicU64,
    /// Of those.
    waited: AtomicU64,
    refused: [AtomicU64; REASONS],
    let_through: AtomicU64,
}

const REASONS: usize = 8;

/// The counter of a reason.
fn place_of(reason: Reason) -> usize {
    match reason {
        Reason::WindowFull => 0,
        Reason::NeverFits => 1,
        Reason::Misconfigured => 2,
        Reason::TooManyKeys => 3,
        Reason::OthersWait => 4,
        Reason::LineFull => 5,
        Reason::TurnTooLate => 6,
        #[allow(unreachable_patterns)] // for reasons that are yet to come
        _ => REASONS - 1,
    }
}

impl Default for Tally {
    fn default() -> Self {
        let (admitted, waited, refused, let_through) = Default::default();
        Self { began: Instant::now(), admitted, waited, refused, let_through }
    }
}

impl Tally {
    pub(crate) fn note(&self, outcome: Outcome<'_>) {
        let counter = match outcome {
            Outcome::Admitted | Outcome::Waited => &self.admitted,
            Outcome::Refused(refusal) => &self.refused[place_of(refusal.reason())],
            Outcome::LetThrough(..) => &self.let_through,
        };
        // Relaxed, both: the number is all there is.
        counter.fetch_add(1, Ordering::Relaxed);
        if let Outcome::Waited = outcome {
            self.waited.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        // Relaxed, all: each number is one that it had; together they may be of different moments.
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            counted_for: self.began.elapsed(),
            admitted: read(&self.admitted),
            waited: read(&self.waited),
            refused: self.refused.each_ref().map(read),
            let_through: read(&self.let_through),
        }
    }
}

/// How many calls of a limiter were admitted and refused, since it was first asked to count them.
///
/// Calls are counted, not units. Nothing is counted while the limiter is [off](crate::registry::Mode::Off), and what is
/// called while counting is switched off is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    counted_for: Duration,
    admitted: u64,
    waited: u64,
    refused: [u64; REASONS],
    let_through: u64,
}

impl Counts {
    /// How long ago counting began.
    #[must_use]
    pub const fn counted_for(&self) -> Duration {
        self.counted_for
    }

    /// How many calls were admitted.
    #[must_use]
    pub const fn admitted(&self) -> u64 {
        self.admitted
    }

    /// How many of those had waited in line for their turn.
    #[must_use]
    pub const fn waited(&self) -> u64 {
        self.waited
    }

    /// How many calls were refused, for whatever reason.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.iter().sum()
    }

    /// How many calls were refused for this reason.
    #[must_use]
    pub fn refused_for(&self, reason: Reason) -> u64 {
        self.refused[place_of(reason)]
    }

    /// How many calls were let through that would have been refused, or made to wait, in the mode
    /// [`Shadow`](crate::registry::Mode::Shadow).
    #[must_use]
    pub const fn let_through(&self) -> u64 {
        self.let_through
    }
}

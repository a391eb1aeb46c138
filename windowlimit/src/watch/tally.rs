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
    LetThrough(Reason, Option<&'r RateLimitExceeded>),
}

/// Counters of one limiter. They are written only while somebody has asked for them.
pub(crate) struct Tally {
    began: Instant,
    stripes: [Stripe; STRIPES],
}

/// The counters of some threads, on lines of the cache that no others write: whoever is refused should not have to wait for
/// all who are refused at the same time.
#[derive(Default)]
#[repr(align(64))]
struct Stripe {
    admitted: AtomicU64,
    /// Of those.
    waited: AtomicU64,
    refused: [AtomicU64; REASONS],
    let_through: AtomicU64,
}

/// Two kilobytes in all for a limiter that is counted.
const STRIPES: usize = 16;

/// The stripe of this thread: the next one for each that comes.
fn stripe() -> usize {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        // Relaxed: the number is all there is.
        static MINE: usize = usize::try_from(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap_or(0) % STRIPES;
    }
    // A thread that is about to end may be any.
    MINE.try_with(|mine| *mine).unwrap_or(0)
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
        Self { began: Instant::now(), stripes: Default::default() }
    }
}

impl Tally {
    pub(crate) fn note(&self, outcome: Outcome<'_>) {
        let stripe = &self.stripes[stripe()];
        let counter = match outcome {
            Outcome::Admitted | Outcome::Waited => &stripe.admitted,
            Outcome::Refused(refusal) => &stripe.refused[place_of(refusal.reason())],
            Outcome::LetThrough(..) => &stripe.let_through,
        };
        // Relaxed, both: the number is all there is.
        counter.fetch_add(1, Ordering::Relaxed);
        if let Outcome::Waited = outcome {
            stripe.waited.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        // Relaxed, all: each number is one that it had; together they may be of different moments.
        let sum = |counter: &dyn Fn(&Stripe) -> &AtomicU64| {
            self.stripes.iter().map(|stripe| counter(stripe).load(Ordering::Relaxed)).sum()
        };
        Counts {
            counted_for: self.began.elapsed(),
            admitted: sum(&|stripe| &stripe.admitted),
            waited: sum(&|stripe| &stripe.waited),
            refused: std::array::from_fn(|place| sum(&|stripe| &stripe.refused[place])),
            let_through: sum(&|stripe| &stripe.let_through),
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

//! What was counted of a limiter.

use crate::{
    error::{RateLimitExceeded, Reason},
    gate::Gate,
    striped::Striped,
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

impl<'r> Outcome<'r> {
    /// Of a decision that stands as it is.
    pub(crate) fn of<T>(decided: &'r Result<T, RateLimitExceeded>) -> Self {
        match decided {
            Ok(_) => Self::Admitted,
            Err(refusal) => Self::Refused(refusal),
        }
    }
}

/// What was counted of one limiter: every call, from its first on.
pub(crate) struct Tally(Striped<COUNTERS>);

const ADMITTED: usize = 0;
/// Of those.
const WAITED: usize = 1;
const LET_THROUGH: usize = 2;
/// One for each reason from here on.
const REFUSED: usize = 3;
const REASONS: usize = 8;
const COUNTERS: usize = REFUSED + REASONS;

/// The place of a reason among those, the most common ones first.
const fn place_of(reason: Reason) -> usize {
    match reason {
        Reason::WindowFull => 0,
        Reason::TooManyKeys => 1,
        Reason::OthersWait => 2,
        Reason::LineFull => 3,
        Reason::TurnTooLate => 4,
        Reason::StoreUnavailable => 5,
        Reason::NeverFits => 6,
        Reason::Misconfigured => 7,
    }
}

impl Tally {
    pub(crate) const fn new() -> Self {
        Self(Striped::new())
    }

    /// A call that was admitted in the plain way.
    #[inline]
    pub(crate) fn admitted(&self) {
        self.0.add(ADMITTED);
    }

    /// One that found the window full there.
    #[inline]
    pub(crate) fn full(&self) {
        self.0.add(const { REFUSED + place_of(Reason::WindowFull) });
    }

    /// A call of which nobody else is told.
    pub(crate) fn count(&self, outcome: Outcome<'_>) {
        match outcome {
            Outcome::Admitted => self.admitted(),
            Outcome::Waited => {
                self.admitted();
                self.0.add(WAITED);
            }
            Outcome::Refused(refusal) => self.0.add(REFUSED + place_of(refusal.reason())),
            Outcome::LetThrough(..) => self.0.add(LET_THROUGH),
        }
    }

    /// Decides as the limiter was told from outside, and counts and reports what came of it. `None` is a call that is let
    /// through without being counted in the window.
    pub(crate) fn judge<T>(
        &self,
        gate: &Gate,
        name: &'static str,
        decide: impl FnOnce() -> Result<Option<T>, RateLimitExceeded>,
    ) -> Result<Option<T>, RateLimitExceeded> {
        if gate.has(Gate::OFF) {
            return Ok(None);
        }
        let decided = decide();
        let outcome = match &decided {
            Err(refusal) if gate.has(Gate::SHADOW) => Outcome::LetThrough(refusal.reason(), Some(refusal)),
            _ => Outcome::of(&decided),
        };
        self.note(gate, name, outcome);
        match outcome {
            Outcome::LetThrough(..) => Ok(None),
            _ => decided,
        }
    }

    /// Counts, and reports where features do.
    pub(crate) fn note(&self, gate: &Gate, name: &'static str, outcome: Outcome<'_>) {
        self.count(outcome);
        #[cfg(any(feature = "metrics", feature = "tracing"))]
        if gate.has(Gate::TOLD) {
            super::telemetry::note(name, outcome);
        }
        #[cfg(not(any(feature = "metrics", feature = "tracing")))]
        let _ = (gate, name);
    }

    /// Each number is one that it had; together they may be of different moments.
    pub(crate) fn counts(&self) -> Counts {
        Counts {
            admitted: self.0.sum(ADMITTED),
            waited: self.0.sum(WAITED),
            refused: std::array::from_fn(|reason| self.0.sum(REFUSED + reason)),
            let_through: self.0.sum(LET_THROUGH),
        }
    }
}

/// How many calls of a limiter were admitted and refused, since its first.
///
/// Calls are counted, not units; a call that waits, when it is decided. Nothing is counted while the limiter is
/// [off](crate::registry::Mode::Off).
///
/// Each number is exact for the calls that ended before it was asked for. Of those that are under way some may be in it, and
/// in one of two numbers but not yet in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    admitted: u64,
    waited: u64,
    refused: [u64; REASONS],
    let_through: u64,
}

impl Counts {
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

//! Whatever makes decisions: an engine, the oracle, an annotated function. All answer in the same words.

use std::time::Duration;

use windowlimit::{Limit, Limiter, ManualClock, RateLimitExceeded, Reason, Usage};

/// What a call got. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Admitted, with so much left in the tightest limit, of which more is left after a time.
    Admitted { remaining: u32, reset_after: u64 },
    /// Refused by this limit, and admitted after this time if nobody else comes.
    Refused { limit: Limit, retry_after: u64 },
    /// Refused for good.
    Never,
}

impl Answer {
    #[must_use]
    pub fn is_admitted(self) -> bool {
        matches!(self, Self::Admitted { .. })
    }
}

/// The state of the tightest limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub limit: Limit,
    pub live: u32,
    pub remaining: u32,
    pub reset_after: u64,
}

/// Something that decides at the instants it is given; instants may repeat, jump and go back.
pub trait Subject {
    /// One call of cost 1 at this instant.
    fn call(&mut self, at: u64) -> Answer;

    /// The state at this instant.
    fn usage(&mut self, at: u64) -> State;
}

/// A limiter on a clock of its own.
pub struct OnManualClock {
    limiter: Limiter<std::sync::Arc<ManualClock>>,
    clock: std::sync::Arc<ManualClock>,
    calls: u64,
}

impl OnManualClock {
    /// The exact window that the attribute uses.
    #[must_use]
    pub fn exact(limits: &[Limit]) -> Self {
        let clock = std::sync::Arc::new(ManualClock::new());
        let limiter = Limiter::builder()
            .name("subject")
            .limits(limits.iter().copied())
            .clock(clock.clone())
            .build()
            .expect("a subject has limits");
        Self { limiter, clock, calls: 0 }
    }
}

impl Subject for OnManualClock {
    fn call(&mut self, at: u64) -> Answer {
        self.clock.set(at);
        // Both ways in, by turns, have to decide alike. `check` says less, so the state says the rest.
        self.calls += 1;
        let admitted = if self.calls.is_multiple_of(2) {
            self.limiter.try_acquire().map(|permit| permit.usage())
        } else {
            self.limiter.check().map(|()| self.limiter.usage())
        };
        match admitted {
            Ok(usage) => {
                Answer::Admitted { remaining: usage.remaining(), reset_after: nanos(usage.reset_after()) }
            }
            Err(refusal) => Answer::from(&refusal),
        }
    }

    fn usage(&mut self, at: u64) -> State {
        self.clock.set(at);
        State::from(self.limiter.usage())
    }
}

impl From<&RateLimitExceeded> for Answer {
    fn from(refusal: &RateLimitExceeded) -> Self {
        match (refusal.reason(), refusal.retry_after()) {
            (Reason::WindowFull, Some(retry_after)) => Self::Refused {
                limit: Limit::new(refusal.limit(), refusal.window()).expect("it came from a limit"),
                retry_after: nanos(retry_after),
            },
            (Reason::NeverFits, None) => Self::Never,
            other => panic!("a refusal that no subject should make: {other:?}"),
        }
    }
}

impl From<Usage> for State {
    fn from(usage: Usage) -> Self {
        Self {
            limit: Limit::new(usage.limit(), usage.window()).expect("it came from a limit"),
            live: usage.live(),
            remaining: usage.remaining(),
            reset_after: nanos(usage.reset_after()),
        }
    }
}

/// A duration of at most 584 years in nanoseconds.
#[must_use]
#[allow(clippy::cast_possible_truncation)]
pub fn nanos(duration: Duration) -> u64 {
    duration.as_nanos() as u64
}

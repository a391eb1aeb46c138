//! Whatever makes decisions: an engine, the oracle, an annotated function. All answer in the same words.

use std::time::Duration;

use windowlimit::{
    Algorithm, KeyedLimiter, Limit, Limiter, ManualClock, Permit, RateLimitExceeded, Reason, Usage,
};

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
    /// What a decision said, with how full the window was after it.
    #[must_use]
    pub fn of(decided: &Result<Usage, RateLimitExceeded>) -> Self {
        match decided {
            Ok(usage) => {
                Self::Admitted { remaining: usage.remaining(), reset_after: nanos(usage.reset_after()) }
            }
            Err(refusal) => Self::from(refusal),
        }
    }

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
    /// One call of this cost at this instant.
    fn claim(&mut self, at: u64, cost: u32) -> Answer;

    /// One call of cost 1.
    fn call(&mut self, at: u64) -> Answer {
        self.claim(at, 1)
    }

    /// The state at this instant.
    fn usage(&mut self, at: u64) -> State;

    /// Gives an admission back, by its number among all admissions from 0.
    fn refund(&mut self, at: u64, admission: usize);

    fn reset(&mut self, at: u64);

    fn set_limits(&mut self, at: u64, limits: &[Limit]);
}

type Manual = std::sync::Arc<ManualClock>;

/// A limiter on a clock of its own.
pub struct OnManualClock<'l> {
    limiter: &'l Limiter<Manual>,
    calls: u64,
    /// By the number of the admission. Those that were made without a permit have none.
    permits: Vec<Option<Permit<'l, Manual>>>,
    /// Whether every admission has its permit, to be refunded.
    keeps_permits: bool,
}

/// Hands on a subject of a kind of window. `keeps_permits` is needed for refunds; without, both ways in are taken by turns.
pub fn on_manual_clock<R>(
    limits: &[Limit],
    algorithm: Algorithm,
    keeps_permits: bool,
    run: impl FnOnce(&mut OnManualClock<'_>) -> R,
) -> R {
    let limiter = Limiter::builder()
        .name("subject")
        .limits(limits.iter().copied())
        .algorithm(algorithm)
        .clock(Manual::default())
        .build()
        .expect("a subject has limits");
    run(&mut OnManualClock { limiter: &limiter, calls: 0, permits: Vec::new(), keeps_permits })
}

impl OnManualClock<'_> {
    /// Makes an exact limiter one that counts units: by a call that takes none.
    pub fn keep_a_log(&mut self) {
        self.limiter.check_n(0).expect("nothing is live yet");
    }
}

impl Subject for OnManualClock<'_> {
    fn claim(&mut self, at: u64, cost: u32) -> Answer {
        self.limiter.clock().set(at);
        // Both ways in, by turns, have to decide alike. `check` says less, so the state says the rest.
        self.calls += 1;
        let admitted = if self.keeps_permits || self.calls.is_multiple_of(2) {
            self.limiter.try_acquire_n(cost).map(|permit| {
                assert_eq!(permit.cost(), cost);
                let usage = permit.usage();
                self.permits.push(Some(permit));
                usage
            })
        } else {
            self.limiter.check_n(cost).map(|()| {
                self.permits.push(None);
                self.limiter.usage()
            })
        };
        Answer::of(&admitted)
    }

    fn usage(&mut self, at: u64) -> State {
        self.limiter.clock().set(at);
        State::from(self.limiter.usage())
    }

    fn refund(&mut self, at: u64, admission: usize) {
        self.limiter.clock().set(at);
        assert!(self.keeps_permits, "there may be no permit");
        if let Some(permit) = self.permits.get_mut(admission).and_then(Option::take) {
            permit.refund();
        }
    }

    fn reset(&mut self, at: u64) {
        self.limiter.clock().set(at);
        self.limiter.reset();
    }

    fn set_limits(&mut self, at: u64, limits: &[Limit]) {
        self.limiter.clock().set(at);
        self.limiter.set_limits(limits.iter().copied()).expect("they can be kept");
        assert_eq!(self.limiter.limits(), limits);
    }
}

/// One key of a keyed limiter, among others that are as busy.
pub struct OneKey<'l> {
    limiter: &'l KeyedLimiter<Manual>,
    permits: Vec<Option<Permit<'l, Manual>>>,
    /// Whether the limits come with each call.
    limits: Option<Vec<Limit>>,
    /// Whether another key makes a call before each of this one.
    has_company: bool,
}

impl OneKey<'_> {
    /// Nobody else is about. (Whoever brings a new key gives back what is idle, and with it time that goes back.)
    pub fn alone(&mut self) -> &mut Self {
        self.has_company = false;
        self
    }
}

/// Hands on a subject that is one key. With `limits_come_with_calls`, they do, and may be as long as any.
pub fn on_one_key<R>(
    limits: &[Limit],
    algorithm: Algorithm,
    limits_come_with_calls: bool,
    run: impl FnOnce(&mut OneKey<'_>) -> R,
) -> R {
    let limiter = KeyedLimiter::builder().name("subject").algorithm(algorithm).clock(Manual::default());
    let limiter = if limits_come_with_calls {
        limiter.longest(Duration::MAX)
    } else {
        limiter.limits(limits.iter().copied())
    };
    let limiter = limiter.build().expect("a subject has limits");
    let limits = limits_come_with_calls.then(|| limits.to_vec());
    run(&mut OneKey { limiter: &limiter, permits: Vec::new(), limits, has_company: true })
}

const KEY: (&str, u8) = ("subject", 1);

impl Subject for OneKey<'_> {
    fn claim(&mut self, at: u64, cost: u32) -> Answer {
        self.limiter.clock().set(at);
        if self.has_company {
            // It must not concern this one.
            let _ = self.limiter.check(&("subject", 2_u8));
        }
        let permit = match &self.limits {
            None => self.limiter.try_acquire_n(&KEY, cost),
            Some(limits) => self.limiter.try_acquire_for(&KEY, limits, cost),
        };
        let admitted = permit.map(|permit| {
            let usage = permit.usage();
            self.permits.push(Some(permit));
            usage
        });
        Answer::of(&admitted)
    }

    fn usage(&mut self, at: u64) -> State {
        self.limiter.clock().set(at);
        State::from(match &self.limits {
            None => self.limiter.usage(&KEY),
            Some(limits) => self.limiter.usage_for(&KEY, limits),
        })
    }

    fn refund(&mut self, at: u64, admission: usize) {
        self.limiter.clock().set(at);
        if let Some(permit) = self.permits.get_mut(admission).and_then(Option::take) {
            permit.refund();
        }
    }

    fn reset(&mut self, at: u64) {
        self.limiter.clock().set(at);
        self.limiter.reset();
    }

    fn set_limits(&mut self, at: u64, limits: &[Limit]) {
        self.limiter.clock().set(at);
        match &mut self.limits {
            None => self.limiter.set_limits(limits.iter().copied()).expect("they can be kept"),
            Some(own) => *own = limits.to_vec(),
        }
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

//! The attribute decides as the limiter does: the table once more, through an annotated method; and what a function
//! of a program sees of its own window. (How it expands is in `cases`, what it answers to mistakes in `ui`.)

use std::{sync::Arc, time::Duration};

use windowlimit::{Limit, Limiter, ManualClock, Permit, RateLimitExceeded, Reason, Usage, window_rate_limit};
use windowlimit_tests::subject::{Answer, State, Subject};

type Manual = Arc<ManualClock>;

/// An object with a limiter of its own, on a clock of its own.
struct Annotated<'l> {
    limiter: &'l Limiter<Manual>,
    calls: u64,
    permits: Vec<Option<Permit<'l, Manual>>>,
}

impl<'l> Annotated<'l> {
    #[window_rate_limit(limiter = self.limiter, permit = permit)]
    fn with_permit(&self) -> Result<Permit<'l, Manual>, RateLimitExceeded> {
        Ok(permit)
    }

    #[window_rate_limit(limiter = self.limiter)]
    fn without(&self) -> Result<Usage, RateLimitExceeded> {
        Ok(self.limiter.usage())
    }

    #[window_rate_limit(limiter = self.limiter, cost = cost, permit = permit)]
    fn at_a_cost(&self, cost: u32) -> Result<Permit<'l, Manual>, RateLimitExceeded> {
        Ok(permit)
    }
}

impl Subject for Annotated<'_> {
    fn claim(&mut self, at: u64, cost: u32) -> Answer {
        self.limiter.clock().set(at);
        self.calls += 1;
        let permit = match (cost, self.calls % 3) {
            (1, 0) => self.without().map(|usage| (usage, None)),
            (1, 1) => self.with_permit().map(|permit| (permit.usage(), Some(permit))),
            _ => self.at_a_cost(cost).map(|permit| (permit.usage(), Some(permit))),
        };
        let admitted = permit.map(|(usage, permit)| {
            self.permits.push(permit);
            usage
        });
        Answer::of(&admitted)
    }

    fn usage(&mut self, at: u64) -> State {
        self.limiter.clock().set(at);
        State::from(self.limiter.usage())
    }

    fn refund(&mut self, at: u64, admission: usize) {
        self.limiter.clock().set(at);
        if let Some(permit) = self.permits[admission].take() {
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
    }
}

windowlimit_tests::conformance!(|limits: &[Limit], run: &mut dyn FnMut(&mut dyn Subject)| {
    let limiter = Limiter::builder().limits(limits.iter().copied()).clock(Manual::default());
    let limiter = limiter.build().expect("it has limits");
    run(&mut Annotated { limiter: &limiter, calls: 0, permits: Vec::new() });
});

#[window_rate_limit(limit = 5, window_ms = 3_600_000)]
fn get_content() -> Result<String, RateLimitExceeded> {
    Ok("Hello World".to_owned())
}

#[test]
fn the_sixth_call_is_refused_and_says_everything() {
    for _ in 0..5 {
        assert_eq!(get_content().unwrap(), "Hello World");
    }
    let refusal = get_content().unwrap_err();
    assert_eq!(refusal.to_string(), "Too many requests, please try again later.");
    assert_eq!(refusal.name(), concat!(module_path!(), "::get_content"));
    assert_eq!((refusal.limit(), refusal.window()), (5, Duration::from_secs(3_600)));
    assert!(refusal.retry_after().is_some_and(|after| after <= Duration::from_secs(3_600)));
}

#[test]
fn f31_a_body_that_calls_itself_is_limited_and_does_not_block() {
    #[window_rate_limit(limit = 4, window = "1h")]
    fn depth() -> Result<u32, RateLimitExceeded> {
        Ok(1 + depth().unwrap_or(0))
    }
    assert_eq!(depth().unwrap(), 4);
    assert!(depth().is_err());
}

#[test]
fn f31_a_fallback_that_calls_the_function_does_not_block() {
    fn tries() -> u32 {
        thread_local!(static TRIES: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
        TRIES.set(TRIES.get() + 1);
        TRIES.get()
    }
    #[window_rate_limit(limit = 1, window = "1h", fallback = if tries() < 10 { again() } else { 0 })]
    fn again() -> u32 {
        7
    }
    assert_eq!(again(), 7);
    assert_eq!(again(), 0);
}

#[test]
fn f41_a_limit_of_zero_at_run_time_refuses_every_call() {
    fn of_a_plan() -> u32 {
        0
    }
    #[window_rate_limit(limit = of_a_plan(), window = "1s")]
    fn never() -> Result<(), RateLimitExceeded> {
        Ok(())
    }
    assert_eq!(never().unwrap_err().reason(), Reason::NeverFits);
}

#[test]
fn a_window_of_zero_at_run_time_fails_closed_and_says_so() {
    #[window_rate_limit(limit = 5, window = Duration::ZERO, name = "nightly")]
    fn closed() -> Result<(), RateLimitExceeded> {
        Ok(())
    }
    for _ in 0..3 {
        let refusal = closed().unwrap_err();
        assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::Misconfigured, None));
        assert!(format!("{refusal:#}").contains("`nightly` is misconfigured"), "{refusal:#}");
        assert!(format!("{refusal:#}").contains("found a window of zero"), "{refusal:#}");
    }
}

#[test]
fn values_are_evaluated_once_and_by_the_first_call() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static EVALUATED: AtomicU32 = AtomicU32::new(0);
    fn limit() -> u32 {
        EVALUATED.fetch_add(1, Ordering::Relaxed);
        2
    }
    #[window_rate_limit(limit = limit(), window = "1h")]
    fn counted() -> Option<()> {
        Some(())
    }
    assert_eq!(EVALUATED.load(Ordering::Relaxed), 0);
    assert_eq!((0..9).filter_map(|_| counted()).count(), 2);
    assert_eq!(EVALUATED.load(Ordering::Relaxed), 1);
}

#[test]
fn functions_share_a_limiter_and_its_limits() {
    static SHARED: Limiter = Limiter::all_of("shared", &[Limit::per_hour(3), Limit::per_minute(100)]);
    #[window_rate_limit(limiter = SHARED)]
    fn one() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limiter = &SHARED)]
    fn other() -> Option<()> {
        Some(())
    }
    assert!(one().is_some() && other().is_some() && one().is_some());
    assert!(one().is_none() && other().is_none());
    assert_eq!(SHARED.usage().remaining(), 0);
}

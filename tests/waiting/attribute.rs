//! A call that may wait for no time decides as one that does not wait: the table once more, through annotated methods that
//! block their thread or are polled once. (Calls that really wait are in `cases`.)

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

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
    #[window_rate_limit(limiter = self.limiter, max_wait = Duration::ZERO, permit = permit)]
    fn blocking(&self) -> Result<Permit<'l, Manual>, RateLimitExceeded> {
        Ok(permit)
    }

    #[window_rate_limit(limiter = self.limiter, max_wait = Duration::ZERO)]
    async fn without_permit(&self) -> Result<Usage, RateLimitExceeded> {
        Ok(self.limiter.usage())
    }

    #[window_rate_limit(limiter = self.limiter, max_wait_ms = u64::MIN, cost = cost, permit = permit)]
    async fn at_a_cost(&self, cost: u32) -> Result<Permit<'l, Manual>, RateLimitExceeded> {
        Ok(permit)
    }
}

/// What the first poll of a future gives.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a call that may wait for no time waits"),
    }
}

impl Subject for Annotated<'_> {
    fn claim(&mut self, at: u64, cost: u32) -> Answer {
        self.limiter.clock().set(at);
        self.calls += 1;
        let admitted = match (cost, self.calls % 3) {
            (1, 0) => at_once(self.without_permit()).map(|usage| (usage, None)),
            (1, 1) => self.blocking().map(|permit| (permit.usage(), Some(permit))),
            _ => at_once(self.at_a_cost(cost)).map(|permit| (permit.usage(), Some(permit))),
        };
        match admitted {
            Ok((usage, permit)) => {
                self.permits.push(permit);
                Answer::of(&Ok(usage))
            }
            // A full window, in the words of those who may wait for it.
            Err(refusal) if refusal.reason() == Reason::TurnTooLate => {
                let at_once = self.limiter.check_n(cost).expect_err("nothing has changed");
                assert_eq!((refusal.limit(), refusal.window()), (at_once.limit(), at_once.window()));
                assert_eq!(refusal.retry_after(), at_once.retry_after());
                Answer::from(&at_once)
            }
            Err(refusal) => Answer::from(&refusal),
        }
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

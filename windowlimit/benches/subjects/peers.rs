//! Limiters of other crates: approximate ones, the fastest among them, and exact logs.

use std::{num::NonZeroU32, time::Duration};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock, MonotonicClock},
};
use leaky_bucket::RateLimiter as LeakyBucket;
use rate_net::{Algorithm, DirectLimiter};
use ratelimit::Ratelimiter;
use throttle_net::SlidingWindowLog;

use super::{Case, Reads, Subject, clocks::SameClock};

pub(super) fn all(max: u32, case: Case) -> Vec<Subject> {
    vec![
        governor(Subject::GOVERNOR, Reads::System, SameClock, max, case),
        governor(Subject::GOVERNOR_STD, Reads::Std, MonotonicClock, max, case),
        governor(Subject::GOVERNOR_DEFAULT, Reads::Counter, DefaultClock::default(), max, case),
        ratelimit(max, case),
        leaky_bucket(max, case),
        rate_net(max, case),
        throttle_net(max, case),
    ]
}

/// A cell for each call that the window has room for, and as many at once as the limit; or a cell each hour.
fn governor<C>(name: &'static str, reads: Reads, clock: C, max: u32, case: Case) -> Subject
where
    C: Clock + Send + Sync + 'static,
    C::Instant: Send + Sync,
{
    let period = match case {
        Case::Admit => case.window(1),
        Case::Refuse => case.window(max),
    };
    let burst = NonZeroU32::new(max).expect("no limit here is 0");
    let quota = Quota::with_period(period).expect("the period is above zero").allow_burst(burst);
    let limiter = RateLimiter::direct_with_clock(quota, clock);
    Subject::new(name, reads, case, move || limiter.check().is_ok())
}

fn ratelimit(max: u32, case: Case) -> Subject {
    let (window, max) = (case.window(max), u64::from(max));
    let builder = Ratelimiter::builder(max).period(window).max_tokens(max).initial_available(max);
    let limiter = builder.build().expect("neither is zero");
    Subject::new(Subject::RATELIMIT, Reads::Std, case, move || limiter.try_wait().is_ok())
}

/// It counts in milliseconds: where the window is shorter, it has as many calls in one as the others have.
fn leaky_bucket(max: u32, case: Case) -> Subject {
    let (window, max) = match case {
        Case::Admit => {
            let window = case.window(max).max(Duration::from_millis(1));
            (window, window.as_nanos() / case.window(1).as_nanos())
        }
        Case::Refuse => (case.window(max), max.into()),
    };
    let max = usize::try_from(max).expect("a million at most");
    let limiter = LeakyBucket::builder().max(max).initial(max).refill(max).interval(window).build();
    Subject::new(Subject::LEAKY_BUCKET, Reads::Std, case, move || limiter.try_acquire(1))
}

fn rate_net(max: u32, case: Case) -> Subject {
    let quota = rate_net::Quota::rate(max, case.window(max)).expect("neither is zero");
    let limiter = DirectLimiter::with_quota(quota).with_algorithm(Algorithm::SlidingWindowLog);
    Subject::new(Subject::RATE_NET, Reads::Std, case, move || limiter.check().is_allow())
}

fn throttle_net(max: u32, case: Case) -> Subject {
    let limiter = SlidingWindowLog::new(max, case.window(max));
    Subject::new(Subject::THROTTLE_NET, Reads::Std, case, move || limiter.try_acquire())
}

//! How often the limiters were called, and what came of it.

use std::{sync::Arc, thread, time::Duration};

use windowlimit::{
    Algorithm, KeyedLimiter, Limit, Limiter, ManualClock, RateLimitExceeded, Reason, registry,
    registry::Counts, testing,
};

use crate::{admitted, login, plan, search};

fn counts(name: &str) -> Counts {
    registry().named(name)[0].counts()
}

#[test]
fn calls_are_counted_by_reason_from_the_first_on() {
    testing::scope(|_| {
        assert_eq!(admitted(3, login), 2);
        assert_eq!(admitted(5, || search("ann")), 2);
        assert_eq!((counts("login").admitted(), counts("login").refused()), (2, 1));
        assert_eq!((counts("search").admitted(), counts("search").refused()), (2, 3));
        assert_eq!(counts("search").refused_for(Reason::WindowFull), 3);
        assert_eq!(counts("search").refused_for(Reason::TooManyKeys), 0);
        // What is forgotten of the window is not what was counted.
        registry().reset("login").expect("it was called");
        assert_eq!(admitted(3, login), 2);
        assert_eq!((counts("login").admitted(), counts("login").refused()), (4, 2));
    });
}

#[test]
fn no_call_is_lost_of_those_that_many_threads_count() {
    let clock = Arc::new(ManualClock::new());
    let limiter = Limiter::builder().name("crowd").limit(Limit::per_hour(1_000)).clock(clock).build();
    let limiter = Arc::new(limiter.expect("a limit"));
    testing::scope(|_| {
        registry().register(&limiter);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| admitted(1_000, || limiter.check()));
            }
        });
        assert_eq!((counts("crowd").admitted(), counts("crowd").refused()), (1_000, 7_000));
    });
}

/// A dozen calls of the limiter that is registered as `any`, some of which come through: each of them is one call, whatever it
/// takes and however it is decided.
fn each_is_counted_once(about: &str, call: impl Fn() -> Result<(), RateLimitExceeded>) {
    let through = admitted(12, call);
    assert!((1..12).contains(&through), "{about}: {through} came through");
    let found = (counts("any").admitted(), counts("any").refused(), counts("any").waited());
    assert_eq!(found, (through as u64, 12 - through as u64, 0), "{about}");
}

#[test]
fn every_kind_of_call_is_counted_once_by_every_kind_of_window() {
    type Call = fn(&Limiter<Arc<ManualClock>>) -> Result<(), RateLimitExceeded>;
    let calls: [Call; 8] = [
        |limiter| limiter.check(),
        |limiter| limiter.try_acquire().map(drop),
        |limiter| limiter.check_n(1),
        |limiter| limiter.check_n(3),
        |limiter| limiter.try_acquire_n(1).map(drop),
        |limiter| limiter.try_acquire_n(3).map(drop),
        |limiter| limiter.acquire().within(Duration::ZERO).blocking().map(drop),
        |limiter| limiter.acquire().cost(3).within(Duration::ZERO).blocking().map(drop),
    ];
    let windows = [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed];
    for (limits, algorithm) in [1, 2].into_iter().flat_map(|limits| windows.map(|window| (limits, window))) {
        for (number, call) in calls.iter().enumerate() {
            testing::scope(|_| {
                let limits = [Limit::per_hour(10), Limit::per_minute(10)].into_iter().take(limits);
                let builder = Limiter::builder().name("any").limits(limits).algorithm(algorithm);
                let limiter = Arc::new(builder.clock(Arc::new(ManualClock::new())).build().expect("a limit"));
                registry().register(&limiter);
                each_is_counted_once(&format!("{algorithm:?}, call {number}"), || call(&limiter));
            });
        }
    }
}

/// The same of keys.
#[test]
fn every_kind_of_call_of_a_key_is_counted_once() {
    type Call = fn(&KeyedLimiter<Arc<ManualClock>>) -> Result<(), RateLimitExceeded>;
    let other = [Limit::per_minute(5)];
    let calls: [Call; 6] = [
        |limiter| limiter.check("ann"),
        |limiter| limiter.try_acquire("ann").map(drop),
        |limiter| limiter.check_n("ann", 3),
        |limiter| limiter.try_acquire_n("ann", 3).map(drop),
        |limiter| limiter.check_for("ann", &[Limit::per_minute(5)], 1),
        |limiter| limiter.acquire("ann").within(Duration::ZERO).blocking().map(drop),
    ];
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed] {
        for (number, call) in calls.iter().enumerate() {
            testing::scope(|_| {
                let builder = KeyedLimiter::builder().name("any").limits(other).algorithm(algorithm);
                let limiter = Arc::new(builder.clock(Arc::new(ManualClock::new())).build().expect("a limit"));
                registry().register(&limiter);
                each_is_counted_once(&format!("{algorithm:?}, call {number}"), || call(&limiter));
            });
        }
    }
    testing::scope(|_| {
        assert_eq!(admitted(3, || plan("ann")), 1);
        assert_eq!((counts("plan").admitted(), counts("plan").refused()), (1, 2));
    });
}

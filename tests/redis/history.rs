//! What a window remembers: under other limits, on a clock that goes back, and no longer than it has to.

use std::{sync::Arc, time::Duration};

use windowlimit::{Algorithm, Limit, OnStoreError, RedisStore, SharedLimiter};

use crate::server::{Program, Server};

/// A limiter that shows an error by refusing.
fn strict(store: &RedisStore, name: &str, limit: Limit) -> SharedLimiter {
    let limiter = SharedLimiter::builder(store, name.to_owned()).limit(limit);
    limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit")
}

pub(crate) fn limits_of_two_versions_are_kept_over_one_history(program: &Program) {
    let server = Server::start(program);
    let stores = [server.store(), server.store()];
    let old = strict(&stores[0], "versions", Limit::per_hour(100));
    let new = strict(&stores[1], "versions", Limit::per_hour(40));
    let admitted =
        |limiter: &SharedLimiter, calls: u32| (0..calls).filter(|_| limiter.check(&()).is_ok()).count();
    assert_eq!((admitted(&new, 30), admitted(&old, 30)), (30, 30));
    // 60 are live: too many for the new one, and the old one has 40 left.
    assert_eq!((admitted(&new, 20), admitted(&old, 50)), (0, 40));
    // Up again, and the history is what it was.
    new.set_limits([Limit::per_hour(101)]).expect("it can be kept");
    assert_eq!((admitted(&new, 5), admitted(&old, 5)), (1, 0));
}

pub(crate) fn a_clock_that_went_back_delays_and_then_is_void(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let clock = Arc::new(windowlimit::ManualClock::starting_at(1_000_000_000_000));
        let limiter = SharedLimiter::builder(&store, "back").limit(Limit::per_second(2)).algorithm(algorithm);
        let limiter = limiter.instants(Arc::clone(&clock)).build().expect("it has a limit");
        assert!(limiter.check_n(&(), 2).is_ok());
        clock.set(999_000_000_000);
        let wait = limiter.check(&()).expect_err("as late as the newest").retry_after().expect("it comes");
        assert!(
            wait >= Duration::from_secs(2) && wait <= Duration::from_millis(2_100),
            "{algorithm:?}: {wait:?}"
        );
        clock.set(990_000_000_000);
        assert!(limiter.check_n(&(), 2).is_ok() && limiter.check(&()).is_err(), "{algorithm:?}");
        limiter.reset(&()).expect("the store answers");
    }
}

/// However long calls go on, a log is not much longer than what is live in it.
pub(crate) fn a_log_is_cut_while_it_is_used(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let clock = Arc::new(windowlimit::ManualClock::starting_at(1_000_000_000_000));
    for (live, calls) in [(100_u64, 2_000_u64), (1, 500), (700, 6_000)] {
        let limit = Limit::new(50_000, Duration::from_millis(live)).expect("it is one");
        let limiter = SharedLimiter::builder(&store, format!("cut {live}")).limit(limit);
        let limiter = limiter.instants(Arc::clone(&clock)).build().expect("it has a limit");
        let mut longest = 0;
        for _ in 0..calls {
            clock.advance(Duration::from_millis(1));
            let permit = limiter.try_acquire(&()).expect("there is room");
            assert!(u64::from(permit.usage().live()) <= live);
            let length: u64 = redis::cmd("STRLEN")
                .arg(format!("windowlimit:cut {live}:"))
                .query(&mut server.connect())
                .expect("the server answers");
            longest = longest.max(length / 8);
        }
        assert!(longest < (live * 2).max(48), "{longest} records for {live}");
    }
}

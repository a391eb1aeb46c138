//! The scopes of tests.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Barrier},
    thread,
    time::Duration,
};

use windowlimit::{
    KeyedLimiter, Limit, Limiter, ManualClock, RateLimitExceeded, TokioClock, registry,
    registry::Mode,
    testing::{self, Scope},
    window_rate_limit,
};

use crate::{admitted, given_out, login, permits, search};

#[test]
fn f109_tests_in_parallel_on_one_limited_function_do_not_see_each_other() {
    let threads = 8;
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        for place in 0..threads {
            let barrier = &barrier;
            scope.spawn(move || {
                testing::scope(|clock| {
                    for round in 0..50 {
                        // All of them are in the middle of it at the same time.
                        barrier.wait();
                        assert_eq!(admitted(5, login), 2, "{round}");
                        assert_eq!(admitted(5, || search("ann")), 2, "{round}");
                        barrier.wait();
                        // Each has a time of its own.
                        clock.advance(Duration::from_secs(if place % 2 == 0 { 60 } else { 59 }));
                        assert_eq!(login().is_ok(), place % 2 == 0);
                        clock.advance(Duration::from_secs(60));
                    }
                });
            });
        }
    });
}

#[test]
fn f109_asynchronous_tests_on_one_thread_do_not_see_each_other() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let test = || {
        testing::scope_async(async |clock: &ManualClock| {
            for _ in 0..50 {
                let mut let_in = 0;
                for _ in 0..5 {
                    // Here the others run, in the middle of this one.
                    tokio::task::yield_now().await;
                    let_in += admitted(1, login);
                }
                assert_eq!(let_in, 2);
                clock.advance(Duration::from_secs(60));
            }
        })
    };
    runtime.block_on(async { tokio::join!(test(), test(), test()) });
}

#[test]
fn a_scope_goes_with_its_future_from_thread_to_thread() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().expect("a runtime");
    runtime.block_on(async {
        let scope = Scope::with_clock(ManualClock::new());
        let calls: Vec<_> = (0..40)
            .map(|_| {
                let scope = scope.clone();
                tokio::spawn(async move {
                    scope
                        .run_async(async {
                            tokio::task::yield_now().await;
                            login().is_ok()
                        })
                        .await
                })
            })
            .collect();
        let mut let_in = 0;
        for call in calls {
            let_in += usize::from(call.await.expect("it does not panic"));
        }
        assert_eq!(let_in, 2);
    });
}

#[test]
fn every_scope_begins_anew() {
    for _ in 0..3 {
        testing::scope(|_| assert_eq!((admitted(5, login), admitted(5, || search("ann"))), (2, 2)));
    }
}

#[test]
fn scopes_inside_of_scopes_are_other_ones() {
    testing::scope(|_| {
        assert_eq!(admitted(5, login), 2);
        testing::scope(|_| assert_eq!(admitted(5, login), 2));
        assert_eq!(admitted(5, login), 0);
    });
}

#[test]
fn a_scope_is_over_when_its_test_has_panicked() {
    testing::scope(|_| {
        let failed = catch_unwind(AssertUnwindSafe(|| {
            testing::scope(|_| {
                assert_eq!(admitted(5, login), 2);
                panic!("as a test does that fails");
            });
        }));
        assert!(failed.is_err());
        assert_eq!(admitted(5, login), 2);
    });
    assert!(Scope::current().is_none());
}

#[test]
fn a_thread_is_outside_until_it_is_told() {
    testing::scope(|_| {
        let scope = Scope::current().expect("this is one");
        assert!(thread::spawn(|| Scope::current().is_none()).join().expect("it does not panic"));
        let there = thread::spawn(move || scope.run(|| admitted(5, login)));
        assert_eq!(there.join().expect("it does not panic"), 2);
        assert_eq!(admitted(5, login), 0);
    });
}

#[test]
fn permits_are_given_back_where_they_are_from() {
    let clock = Arc::new(ManualClock::new());
    let (one, other) = (Scope::with_clock(clock.clone()), Scope::with_clock(clock));
    let permit = one.run(given_out).expect("it is fresh");
    assert!(other.run(given_out).is_ok());
    // Outside of both, on another thread.
    thread::spawn(move || permit.refund()).join().expect("it does not panic");
    assert!(other.run(given_out).is_err());
    let permit = one.run(given_out).expect("it was given back");
    // From inside of the other one.
    other.run(|| permit.refund());
    assert!(other.run(given_out).is_err());
    assert!(one.run(given_out).is_ok());
}

#[test]
fn a_permit_of_a_scope_that_is_over_gives_nothing_back() {
    let permit = testing::scope(|_| given_out()).expect("it is fresh");
    testing::scope(|_| {
        assert!(given_out().is_ok());
        permit.refund();
        assert!(given_out().is_err());
    });
}

#[test]
fn permits_of_keys_are_given_back_where_they_are_from() {
    static USERS: KeyedLimiter = KeyedLimiter::new("users of scopes", Limit::per_hour(1));
    registry().register(&USERS);
    let clock = Arc::new(ManualClock::new());
    let (one, other) = (Scope::with_clock(clock.clone()), Scope::with_clock(clock));
    let permit = one.run(|| USERS.try_acquire("ann")).expect("it is fresh");
    assert!(other.run(|| USERS.check("ann")).is_ok());
    permit.refund();
    assert!(other.run(|| USERS.check("ann")).is_err());
    assert!(one.run(|| USERS.check("ann")).is_ok());
}

#[test]
fn everything_that_a_limiter_can_do_is_done_in_the_scope() {
    static LIMITER: Limiter = Limiter::new("everything", Limit::per_hour(5));
    static KEYED: KeyedLimiter = KeyedLimiter::new("everything of keys", Limit::per_hour(5));
    registry().register(&LIMITER);
    registry().register(&KEYED);
    testing::scope(|_| {
        assert!(
            LIMITER.check_n(2).is_ok()
                && LIMITER.try_acquire_n(2).is_ok_and(|permit| permit.remaining() == 1)
        );
        assert!(LIMITER.try_acquire().is_ok_and(|permit| permit.remaining() == 0));
        assert_eq!(LIMITER.usage().live(), 5);
        assert!(LIMITER.set_limits([Limit::per_hour(6)]).is_ok());
        assert_eq!((LIMITER.limits(), LIMITER.usage().remaining()), (vec![Limit::per_hour(6)], 1));
        LIMITER.reset();
        assert_eq!(LIMITER.usage().live(), 0);

        assert!(KEYED.check_n("ann", 2).is_ok() && KEYED.try_acquire_n("ann", 2).is_ok());
        assert!(KEYED.check_for("ann", &[Limit::per_hour(4)], 1).is_err());
        assert_eq!((KEYED.usage("ann").live(), KEYED.len()), (4, 1));
        assert!(KEYED.set_limits([Limit::per_hour(6)]).is_ok());
        assert_eq!((KEYED.limits(), KEYED.usage("ann").remaining()), (vec![Limit::per_hour(6)], 2));
        assert!(KEYED.remove("ann") && KEYED.is_empty());
        assert!(KEYED.check("bob").is_ok());
        KEYED.reset();
        assert!(KEYED.is_empty());
        assert!(KEYED.check("bob").is_ok() && LIMITER.check().is_ok());
    });
    assert_eq!((LIMITER.limits(), LIMITER.usage().live()), (vec![Limit::per_hour(5)], 0));
    assert_eq!((KEYED.limits(), KEYED.len()), (vec![Limit::per_hour(5)], 0));
}

#[test]
fn a_static_that_is_registered_in_a_scope_is_changed_there_only() {
    static DOOR: Limiter = Limiter::new("door of scopes", Limit::per_hour(1));
    testing::scope(|_| {
        registry().register(&DOOR);
        assert!(registry().set_mode("door of scopes", Mode::Off).is_ok());
        assert!(registry().set_limits("door of scopes", [Limit::per_hour(7)]).is_ok());
        assert_eq!(admitted(5, || DOOR.check()), 5);
    });
    testing::scope(|_| assert_eq!(admitted(5, || DOOR.check()), 1));
    assert_eq!((DOOR.limits(), admitted(5, || DOOR.check())), (vec![Limit::per_hour(1)], 1));
}

#[test]
fn a_limiter_that_nobody_can_find_is_the_tests_own() {
    testing::scope(|_| {
        let clock = ManualClock::new();
        let limiter = Limiter::with_clock("own", &[const { Limit::per_minute(1) }], &clock);
        assert_eq!(admitted(5, || limiter.check()), 1);
        clock.advance(Duration::from_secs(60));
        testing::scope(|_| assert_eq!(admitted(5, || limiter.check()), 1));
        assert!(registry().named("own").is_empty());
    });
}

#[test]
fn what_was_changed_outside_is_not_changed_in_a_scope() {
    #[window_rate_limit(limit = 1, window = "1h", name = "changed outside")]
    fn changed_outside() -> Result<(), RateLimitExceeded> {
        Ok(())
    }
    assert!(changed_outside().is_ok());
    assert!(registry().set_limits("changed outside", [Limit::per_hour(3)]).is_ok());
    testing::scope(|_| assert_eq!(admitted(5, changed_outside), 1));
    assert_eq!(admitted(5, changed_outside), 2);
}

#[test]
fn scopes_hold_for_what_a_permit_says() {
    testing::scope(|clock| {
        assert_eq!(
            [permits().ok(), permits().ok(), permits().ok(), permits().ok()],
            [Some((1, 2)), Some((1, 1)), Some((1, 0)), None]
        );
        clock.advance(Duration::from_secs(60));
        assert_eq!(permits().ok(), Some((1, 2)));
    });
}

#[tokio::test(start_paused = true)]
async fn the_paused_time_of_tokio_is_honoured() {
    let scope = Scope::with_clock(TokioClock);
    scope
        .run_async(async {
            assert_eq!(admitted(5, login), 2);
            let wait = login().unwrap_err().retry_after();
            assert_eq!(wait, Some(Duration::from_secs(60)));
            tokio::time::sleep(wait.unwrap_or_default() - Duration::from_millis(1)).await;
            assert_eq!(admitted(5, login), 0);
            tokio::time::sleep(Duration::from_millis(1)).await;
            assert_eq!(admitted(5, login), 2);
        })
        .await;
}

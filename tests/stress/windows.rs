//! Threads on every kind of window, with costs, refunds and limits that change under them.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{Algorithm, Clock, Limit, Limiter, RateLimitExceeded, window_rate_limit};

use super::{Counted, admitted, until_they_meet_in, until_they_take_turns};

const EVERY: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed];

#[test]
fn f23_threads_get_what_fits_at_one_instant_in_every_window() {
    for algorithm in EVERY {
        until_they_meet_in(algorithm, &[Limit::per_hour(5_000)], |limiter, threads| {
            assert_eq!(admitted(limiter, threads, 20_000), 5_000);
        });
    }
}

/// Borders are passed while others read and add. All four segments of the window together never hold more than it may.
#[test]
fn f20_borders_of_segments_are_passed_under_the_threads() {
    let limit = Limit::per_second(40);
    until_they_meet_in(Algorithm::Segmented(4), &[limit], |limiter, threads| {
        limiter.clock().time.set(1_000_000_000_000 - 1);
        for _ in 0..40 {
            // In a quarter: what has left comes free, and nothing else.
            let before = limiter.usage().remaining() as usize;
            assert_eq!(admitted(limiter, threads, 64), before);
            assert_eq!(limiter.usage().live(), 40);
            limiter.clock().time.advance(Duration::from_millis(250));
        }
    });
}

/// The clock moves under the calls: whatever they read, no window holds more than the limit, by the instants at which
/// units are known to have been taken.
#[test]
fn f20_units_are_neither_lost_nor_doubled_while_time_passes() {
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(4)] {
        until_they_meet_in(algorithm, &[Limit::per_second(30)], |limiter, threads| {
            let total = AtomicUsize::new(0);
            // 4 s in steps of 10 ms, made by the threads themselves.
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        for _ in 0..400 / threads {
                            let admitted = (0..20).filter(|_| limiter.check().is_ok()).count();
                            total.fetch_add(admitted, Ordering::Relaxed);
                            limiter.clock().time.advance(Duration::from_millis(10));
                        }
                    });
                }
            });
            // Five windows begin in these four seconds and a little.
            let total = total.into_inner();
            assert!((90..=150).contains(&total), "{total} by {algorithm:?}");
            limiter.clock().time.advance(Duration::from_secs(2));
            assert_eq!(admitted(limiter, threads, 80), 30, "nothing is left behind");
        });
    }
}

/// Records are dropped by the calls that come in: none that is live goes with them.
#[test]
fn f25_expired_records_leave_under_the_threads() {
    until_they_take_turns(&[Limit::per_second(60)], |limiter, threads| {
        assert!(limiter.check_n(0).is_ok(), "units are counted from here on");
        for round in 0..60 {
            // A third of the window each time.
            let wanted = if round < 3 { 20 } else { limiter.usage().remaining() as usize };
            let taken = thread::scope(|scope| {
                let threads: Vec<_> = (0..threads)
                    .map(|_| scope.spawn(|| (0..20 / threads).filter(|_| limiter.check().is_ok()).count()))
                    .collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<usize>()
            });
            assert_eq!(taken, wanted.min(20), "round {round}");
            limiter.clock().time.advance(Duration::from_nanos(1_000_000_000 / 3 + 1));
        }
    });
}

#[test]
fn f30_limits_are_lowered_and_raised_under_the_threads() {
    for algorithm in EVERY {
        for uneven in [false, true] {
            until_they_meet_in(algorithm, &[Limit::per_hour(1_000)], |limiter, threads| {
                if uneven {
                    assert!(limiter.check_n(0).is_ok());
                }
                let changes = || {
                    for max in [700, 3, 900, 500, 1_200, 10, 800] {
                        limiter.set_limits([Limit::per_hour(max)]).expect("it is one");
                        assert!(limiter.usage().live() <= 1_200, "no unit out of nowhere");
                        thread::yield_now();
                    }
                };
                let taken = thread::scope(|scope| {
                    let change = (threads > 1).then(|| scope.spawn(changes));
                    let taken = admitted(limiter, threads, 4_000);
                    if let Some(change) = change {
                        change.join().expect("no panic");
                    }
                    taken
                });
                let usage = limiter.usage();
                assert_eq!(usage.live() as usize, taken, "none is lost and none is doubled by {algorithm:?}");
                assert_eq!(admitted(limiter, 1, 2_000), usage.remaining() as usize);
            });
        }
    }
}

/// The unit is taken before the body and given back by it: so many bodies at a time, and no more.
#[test]
fn f47_a_thousand_logins_that_refund_are_at_most_five_at_a_time() {
    #[window_rate_limit(limit = 5, window = "1h", permit = permit)]
    fn log_in(inside: &AtomicUsize, most: &AtomicUsize) -> Result<(), RateLimitExceeded> {
        // Relaxed: all changes of one number have one order.
        most.fetch_max(inside.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        thread::yield_now();
        inside.fetch_sub(1, Ordering::Relaxed);
        permit.refund();
        Ok(())
    }

    let (inside, most, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let barrier = Barrier::new(20);
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                barrier.wait();
                let admitted = (0..50).filter(|_| log_in(&inside, &most).is_ok()).count();
                done.fetch_add(admitted, Ordering::Relaxed);
            });
        }
    });
    assert!((1..=5).contains(&most.into_inner()));
    assert!(done.into_inner() >= 5);
    // All have been given back.
    assert!((0..100).all(|_| log_in(&AtomicUsize::new(0), &AtomicUsize::new(0)).is_ok()));
}

#[test]
fn refunds_and_costs_of_many_threads_add_up() {
    for algorithm in EVERY {
        until_they_meet_in(
            algorithm,
            &[Limit::per_hour(60), Limit::per_hour(50)],
            |limiter: &Limiter<Counted>, threads| {
                thread::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|| {
                            for round in 0..400 / threads {
                                if let Ok(permit) =
                                    limiter.try_acquire_n(1 + u32::try_from(round % 7).expect("small"))
                                {
                                    assert!(permit.usage().live() <= 50);
                                    permit.refund();
                                }
                            }
                        });
                    }
                });
                assert_eq!(limiter.usage().live(), 0, "{algorithm:?} at {}", limiter.clock().now());
                assert!(limiter.check_n(50).is_ok());
            },
        );
    }
}

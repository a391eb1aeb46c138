//! Real threads on one limiter, until they have been seen to get in each other's way.
//!
//! Nothing here depends on speed. A frozen clock makes the wanted number exact; and as a decision reads the clock
//! once for each attempt, more readings than calls prove that calls were overtaken and tried again.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

use std::{
    sync::{
        Barrier,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{Clock, Limit, Limiter, ManualClock, window_rate_limit};
use windowlimit_tests::{oracle::Oracle, subject::Subject};

/// A clock that counts its readings, and lets another thread run after some of them: between the look at the window
/// and the claim.
struct Counted {
    time: ManualClock,
    readings: AtomicU64,
}

impl Counted {
    const fn new() -> Self {
        Self { time: ManualClock::new(), readings: AtomicU64::new(0) }
    }
}

impl Clock for Counted {
    fn now(&self) -> u64 {
        if self.readings.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
            thread::yield_now();
        }
        self.time.now()
    }
}

/// How many rounds are allowed to pass without contention before the test says that it cannot show anything.
const PATIENCE: usize = 1_000;

#[test]
fn f23_two_thousand_threads_get_fifty_units() {
    for _ in 0..PATIENCE {
        let limiter = Limiter::with_clock("crowd", &[const { Limit::per_hour(50) }], Counted::new());
        let admitted = AtomicUsize::new(0);
        let calls = 2_000;
        thread::scope(|scope| {
            for _ in 0..calls {
                scope.spawn(|| admitted.fetch_add(usize::from(limiter.check().is_ok()), Ordering::Relaxed));
            }
        });
        assert_eq!(admitted.into_inner(), 50);
        assert_eq!(limiter.usage().remaining(), 0);
        if limiter.clock().readings.load(Ordering::Relaxed) > calls + 1 {
            return;
        }
    }
    panic!("the threads never met: nothing was shown");
}

/// Runs calls from four threads at each of some instants and compares how many were admitted with the oracle.
fn compare_phases(limits: &[Limit], calls: usize, phases: usize, step: Duration) {
    const THREADS: usize = 4;
    for _ in 0..PATIENCE {
        let clock = Counted::new();
        let limiter =
            Limiter::builder().limits(limits.iter().copied()).clock(clock).build().expect("it has limits");
        let mut oracle = Oracle::new(limits);
        let wanted: Vec<usize> = (0..phases)
            .map(|phase| {
                let at = 1_000_000_000 + phase as u64 * u64::try_from(step.as_nanos()).expect("short");
                (0..THREADS * calls).filter(|_| oracle.call(at).is_admitted()).count()
            })
            .collect();

        let admitted: Vec<AtomicUsize> = (0..phases).map(|_| AtomicUsize::new(0)).collect();
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for phase in &admitted {
                        barrier.wait();
                        for _ in 0..calls {
                            phase.fetch_add(usize::from(limiter.try_acquire().is_ok()), Ordering::Relaxed);
                        }
                        if barrier.wait().is_leader() {
                            limiter.clock().time.advance(step);
                        }
                    }
                });
            }
        });
        let admitted: Vec<usize> = admitted.into_iter().map(AtomicUsize::into_inner).collect();
        assert_eq!(admitted, wanted, "{limits:?}");
        if limiter.clock().readings.load(Ordering::Relaxed) > (THREADS * calls * phases) as u64 {
            return;
        }
    }
    panic!("the threads never met: nothing was shown");
}

#[test]
fn threads_together_get_what_one_would_in_a_small_window() {
    compare_phases(&[Limit::per_second(3)], 5, 200, Duration::from_millis(150));
}

#[test]
fn threads_together_get_what_one_would_while_the_window_grows() {
    compare_phases(&[Limit::per_second(1_000)], 60, 20, Duration::from_millis(90));
}

#[test]
fn threads_together_get_what_one_would_under_several_limits() {
    compare_phases(&[Limit::per_second(7), Limit::per_minute(90)], 6, 100, Duration::from_millis(700));
}

#[test]
fn f27_ten_thousand_calls_are_decided_without_errors() {
    compare_phases(&[Limit::per_hour(5_000)], 2_500, 1, Duration::ZERO);
}

#[test]
fn f29_contention_leaves_nothing_behind() {
    let limiter = Limiter::with_clock("calm", &[const { Limit::per_second(20) }], Counted::new());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20_000).filter(|_| limiter.check().is_ok()).count());
        }
    });
    limiter.clock().time.advance(Duration::from_secs(1));
    assert_eq!(limiter.usage().remaining(), 20);
    assert_eq!((0..40).filter(|_| limiter.check().is_ok()).count(), 20);
}

#[test]
fn permits_of_one_instant_all_show_another_place() {
    let limiter = Limiter::with_clock("places", &[const { Limit::per_hour(400) }], Counted::new());
    let mut places: Vec<u32> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let permits = (0..100).map(|_| limiter.try_acquire().expect("there is room for all"));
                    permits.map(|permit| permit.remaining()).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it does not panic")).collect()
    });
    places.sort_unstable();
    assert_eq!(places, (0..400).collect::<Vec<_>>());
}

#[test]
fn refusals_write_nothing() {
    let limiter = Limiter::with_clock("quiet", &[const { Limit::per_hour(5) }], Counted::new());
    assert_eq!((0..5).filter(|_| limiter.check().is_ok()).count(), 5);
    let before = limiter.usage();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..10_000).for_each(|_| assert!(limiter.check().is_err())));
        }
    });
    assert_eq!(limiter.usage(), before);
}

/// Functions whose limiters are made by their first call.
macro_rules! made_by_the_first_call {
    ($($name:ident)*) => {
        $(
            #[window_rate_limit(limit = three(), window = "1h")]
            fn $name() -> Option<()> {
                Some(())
            }
        )*
        const MADE_BY_THE_FIRST_CALL: &[fn() -> Option<()>] = &[$($name),*];
    };
}

fn three() -> u32 {
    // Time for the others to come as well.
    thread::yield_now();
    3
}

made_by_the_first_call!(a b c d e f g h i j k l m n o p q r s t u v w x y z);

#[test]
fn threads_that_race_for_the_first_call_get_one_limiter() {
    for function in MADE_BY_THE_FIRST_CALL {
        let barrier = Barrier::new(4);
        let admitted: usize = thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        (0..3).filter_map(|_| function()).count()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("it does not panic")).sum()
        });
        assert_eq!(admitted, 3);
    }
}

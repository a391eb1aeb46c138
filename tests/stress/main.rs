//! Real threads on one limiter, until they have been seen to get in each other's way.
//!
//! Nothing here depends on speed. A frozen clock makes the wanted number exact. A decision reads the clock once for each
//! attempt, so more readings than the same calls make in one thread prove that calls were overtaken and tried again.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod keyed;
mod windows;

use std::{
    sync::{
        Barrier,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{Algorithm, Clock, Limit, Limiter, ManualClock, window_rate_limit};
use windowlimit_tests::{oracle::Oracle, subject::Subject};

/// A clock that counts its readings, and lets another thread run after some of them: between the look at the window
/// and the claim.
struct Counted {
    time: ManualClock,
    readings: AtomicU64,
    /// The thread of the last reading, and how often it was another than the one before.
    reader: AtomicU64,
    turns: AtomicU64,
}

impl Counted {
    const fn new() -> Self {
        let [readings, reader, turns] = [const { AtomicU64::new(0) }; 3];
        Self { time: ManualClock::new(), readings, reader, turns }
    }
}

/// A number of this thread.
fn reader() -> u64 {
    static THREADS: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = THREADS.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

impl Clock for Counted {
    fn now(&self) -> u64 {
        let reader = reader();
        if self.reader.swap(reader, Ordering::Relaxed) != reader {
            self.turns.fetch_add(1, Ordering::Relaxed);
        }
        if self.readings.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
            thread::yield_now();
        }
        self.time.now()
    }
}

/// Runs calls on a fresh limiter: first in one thread, to learn how often they read the clock when nobody disturbs them
/// (growths read it as well), then in several, until they have read it more often.
fn until_they_meet(limits: &[Limit], run: impl Fn(&Limiter<Counted>, usize)) {
    until_they_meet_in(Algorithm::Exact, limits, run);
}

/// The same in another kind of window.
fn until_they_meet_in(algorithm: Algorithm, limits: &[Limit], run: impl Fn(&Limiter<Counted>, usize)) {
    const PATIENCE: usize = 1_000;
    let readings_with = |threads| {
        let limiter =
            Limiter::builder().limits(limits.iter().copied()).algorithm(algorithm).clock(Counted::new());
        let limiter = limiter.build().expect("it has limits");
        run(&limiter, threads);
        limiter.clock().readings.load(Ordering::Relaxed)
    };
    let undisturbed = readings_with(1);
    assert!(
        (0..PATIENCE).any(|_| readings_with(4) > undisturbed),
        "in {PATIENCE} rounds no call was overtaken: nothing was shown"
    );
}

/// The same in a window behind a lock, in which nobody is overtaken: until the threads have taken turns.
fn until_they_take_turns(limits: &[Limit], run: impl Fn(&Limiter<Counted>, usize)) {
    const PATIENCE: usize = 1_000;
    let turns_with = |threads| {
        let limiter = Limiter::builder().limits(limits.iter().copied()).clock(Counted::new());
        let limiter = limiter.build().expect("it has limits");
        run(&limiter, threads);
        limiter.clock().turns.load(Ordering::Relaxed)
    };
    let one_after_another = turns_with(1) + 4;
    assert!(
        (0..PATIENCE).any(|_| turns_with(4) > one_after_another),
        "in {PATIENCE} rounds they took no turns"
    );
}

/// So many calls by so many threads; how many were admitted.
fn admitted(limiter: &Limiter<Counted>, threads: usize, calls: usize) -> usize {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| (0..calls / threads).filter(|_| limiter.check().is_ok()).count()))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).sum()
    })
}

#[test]
fn f23_two_thousand_threads_get_fifty_units() {
    until_they_meet(&[Limit::per_hour(50)], |limiter, threads| {
        // One call each, or all of them in one.
        let threads = if threads == 1 { 1 } else { 2_000 };
        assert_eq!(admitted(limiter, threads, 2_000), 50);
    });
}

#[test]
fn f27_ten_thousand_calls_are_decided_without_errors() {
    until_they_meet(&[Limit::per_hour(5_000)], |limiter, threads| {
        assert_eq!(admitted(limiter, threads, 10_000), 5_000);
    });
}

#[test]
fn f29_contention_leaves_nothing_behind() {
    until_they_meet(&[Limit::per_second(20)], |limiter, threads| {
        assert_eq!(admitted(limiter, threads, 20_000), 20);
        limiter.clock().time.advance(Duration::from_secs(1));
        assert_eq!(limiter.usage().remaining(), 20);
        assert_eq!(admitted(limiter, 1, 40), 20);
    });
}

#[test]
fn refusals_change_nothing() {
    until_they_meet(&[Limit::per_second(5)], |limiter, threads| {
        assert_eq!(admitted(limiter, threads, 8), 5);
        let before = limiter.usage();
        assert_eq!(admitted(limiter, threads, 40_000), 0);
        assert_eq!(limiter.usage(), before);
    });
}

#[test]
fn permits_of_one_instant_all_show_another_place() {
    until_they_meet(&[Limit::per_hour(400)], |limiter, threads| {
        let mut places: Vec<u32> = thread::scope(|scope| {
            let threads: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(|| {
                        let permits =
                            (0..400 / threads).map(|_| limiter.try_acquire().expect("there is room"));
                        permits.map(|permit| permit.remaining()).collect::<Vec<_>>()
                    })
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("it does not panic")).collect()
        });
        places.sort_unstable();
        assert_eq!(places, (0..400).collect::<Vec<_>>());
    });
}

/// Runs calls at each of some instants and compares how many were admitted at each with the oracle.
fn compare_phases(limits: &[Limit], calls: usize, phases: usize, step: Duration) {
    let mut oracle = Oracle::new(limits);
    let step_nanos = u64::try_from(step.as_nanos()).expect("short");
    let mut at = ManualClock::new().now();
    let mut wanted = Vec::new();
    for _ in 0..phases {
        wanted.push((0..calls).filter(|_| oracle.call(at).is_admitted()).count());
        at += step_nanos;
    }
    until_they_meet(limits, |limiter, threads| {
        for (phase, wanted) in wanted.iter().enumerate() {
            assert_eq!(admitted(limiter, threads, calls), *wanted, "phase {phase}, {limits:?}");
            limiter.clock().time.advance(step);
        }
    });
}

#[test]
fn threads_together_get_what_one_would_in_a_small_window() {
    compare_phases(&[Limit::per_second(3)], 20, 100, Duration::from_millis(150));
}

#[test]
fn threads_together_get_what_one_would_while_the_window_grows() {
    compare_phases(&[Limit::per_second(1_000)], 240, 20, Duration::from_millis(90));
}

#[test]
fn threads_together_get_what_one_would_under_several_limits() {
    compare_phases(&[Limit::per_second(7), Limit::per_minute(90)], 24, 100, Duration::from_millis(700));
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

//! Clocks that calls sleep on: tokio's paused time, real timers, clocks of one's own.

use std::{
    future,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use windowlimit::{Clock, KeyedLimiter, Limit, Limiter, Reason, Sleep, SystemClock, TokioClock};
use windowlimit_tests::crowd::Crowd;

use super::{ms, per};

#[tokio::test(start_paused = true)]
async fn paused_time_moves_to_each_turn() {
    let limiter =
        Limiter::builder().limit(Limit::per_second(10)).clock(TokioClock).build().expect("it is one");
    let started = tokio::time::Instant::now();
    let tasks = (0..100).map(|_| async {
        limiter.acquire().await.expect("no bound");
        started.elapsed()
    });
    let mut turns = Vec::new();
    for task in tasks {
        turns.push(task.await);
    }
    // Ten at once in each second; tokio's timer counts milliseconds.
    for (turn, elapsed) in turns.iter().enumerate() {
        let expected = Duration::from_secs(turn as u64 / 10);
        assert!((expected..expected + ms(100)).contains(elapsed), "turn {turn} at {elapsed:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_meets_a_time_out() {
    let limiter =
        KeyedLimiter::builder().limit(Limit::per_minute(1)).clock(TokioClock).build().expect("it is one");
    limiter.acquire("a").await.expect("it is new");
    let late = tokio::time::timeout(Duration::from_secs(1), limiter.acquire("a")).await;
    assert!(late.is_err(), "the future was dropped");
    assert_eq!(limiter.waiting("a"), 0);
    let refusal = limiter.acquire_within("a", Duration::from_secs(58)).await.expect_err("it is too late");
    assert_eq!(refusal.reason(), Reason::TurnTooLate);
    limiter.acquire_within("a", Duration::from_secs(61)).await.expect("it is just in time");
}

#[test]
fn tokio_s_clock_has_a_timer_of_its_own_outside_of_a_runtime() {
    let limiter = Limiter::builder().limit(per(1, 1_000_000)).clock(TokioClock).build().expect("it is one");
    for _ in 0..3 {
        limiter.acquire_blocking().expect("no bound");
    }
    assert!(TokioClock.now() >= 1_000_000_000 + 2_000_000, "two windows have passed");
}

/// The only test that takes real time: three milliseconds, or as long as it takes.
#[test]
fn the_system_s_clock_wakes_by_a_timer() {
    let limiter = Limiter::builder().limit(per(1, 1_000_000)).build().expect("it is one");
    let started = SystemClock.now();
    for _ in 0..4 {
        limiter.acquire_blocking().expect("no bound");
    }
    assert!(SystemClock.now() >= started + 3_000_000, "three windows have passed");
}

/// A clock whose sleeps are over before their time, again and again.
struct Hasty(AtomicU64);

impl Clock for Hasty {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn sleep_until(&self, _: u64) -> Sleep<'_> {
        Sleep::new(future::ready(()))
    }
}

#[test]
fn a_sleep_that_is_over_too_early_is_slept_again_and_others_are_polled_in_between() {
    let limiter = Limiter::builder().limit(per(1, 1_000)).clock(Hasty(AtomicU64::new(5_000))).build();
    let limiter = limiter.expect("it is one");
    limiter.check().expect("it was empty");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none(), "it gives the thread back");
    let mut polled = 0;
    let results = crowd.settle(|_| {
        polled += 1;
        limiter.clock().0.fetch_add(100, Ordering::Relaxed);
        0
    });
    assert!(matches!(&results[..], [(0, Ok(_))]));
    assert_eq!(polled, 10, "each time once");
}

/// A clock that goes back holds a turn back, and loses nobody.
#[test]
fn a_clock_that_goes_back_makes_nobody_wait_for_ever() {
    let (limiter, clock) = super::full(1, ms(1_000));
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    let start = clock.now();
    clock.set(start - 500_000_000);
    assert!(crowd.enter(1, limiter.acquire()).is_none());
    clock.set(start + 999_999_999);
    assert_eq!(crowd.settle(|_| 0).len(), 0);
    clock.set(start + 1_000_000_000);
    assert_eq!(crowd.settle(|_| 0).len(), 1);
    clock.set(start);
    crowd.poll_all();
    assert_eq!(crowd.settle(|_| 0).len(), 0);
    clock.set(start + 2_000_000_000);
    assert_eq!(crowd.settle(|_| 0).len(), 1);
}

#[test]
fn nobody_sleeps_for_longer_than_a_timer_can_be_set() {
    let limiter = Limiter::builder()
        .limit(Limit::new(1, Duration::MAX).expect("it is one"))
        .build()
        .expect("it is one");
    limiter.check().expect("it was empty");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    assert!(crowd.enter(1, limiter.acquire_within(Duration::MAX)).is_none(), "it would wait for ever");
    crowd.leave(0);
    assert_eq!(crowd.settle(|_| 0).len(), 0);
}

//! Threads that block until they have their turns.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{KeyedLimiter, Limiter};

use super::{Manual, full, ms, per};

/// Moves the clock on whenever somebody sleeps on it, until all are done.
fn drive(clock: &Manual, step: Duration, done: &AtomicUsize, all: usize) {
    while done.load(Ordering::SeqCst) < all {
        if clock.sleeping() > 0 {
            clock.advance(step);
        }
        thread::yield_now();
    }
}

#[test]
fn threads_wait_for_their_turns_and_never_are_too_many() {
    const THREADS: usize = 8;
    const CALLS: usize = 50;
    let clock = Manual::default();
    let limiter = Limiter::builder().limit(per(3, 1_000)).clock(clock.clone()).build().expect("it is one");
    let instants = Mutex::new(Vec::new());
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..CALLS {
                    let permit = limiter.acquire_blocking().expect("no bound");
                    instants.lock().expect("no panic").push(permit.reset_after());
                }
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        drive(&clock, Duration::from_nanos(100), &done, THREADS);
    });
    assert_eq!(instants.lock().expect("no panic").len(), THREADS * CALLS);
    assert_eq!((limiter.waiting(), clock.sleeping()), (0, 0));
    assert!(limiter.usage().live() <= 3);
}

#[test]
fn a_thread_is_refused_at_once_where_its_turn_is_too_late() {
    let (limiter, clock) = full(1, ms(1_000));
    let refusal = limiter.acquire_within_blocking(ms(999)).expect_err("it is too late");
    assert_eq!(refusal.retry_after(), Some(ms(1_000)));
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            limiter.acquire_within_blocking(ms(1_000)).expect("it is just in time");
            done.fetch_add(1, Ordering::SeqCst);
        });
        drive(&clock, ms(500), &done, 1);
    });
}

#[test]
fn threads_that_wait_for_keys_meet_refunds_resets_and_each_other() {
    const THREADS: usize = 6;
    let clock = Manual::default();
    let limiter =
        KeyedLimiter::builder().limit(per(2, 1_000)).clock(clock.clone()).build().expect("it is one");
    let (done, admitted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (limiter, done, admitted) = (&limiter, &done, &admitted);
            scope.spawn(move || {
                let mut rng = fastrand::Rng::with_seed(thread as u64);
                for _ in 0..200 {
                    let key = rng.u8(..2);
                    match rng.u8(..10) {
                        0 => limiter.acquire_blocking(&key).expect("no bound").refund(),
                        1 => drop(limiter.remove(&key)),
                        2 => drop(
                            limiter.acquire_within_blocking(&key, Duration::from_nanos(rng.u64(..1_500))),
                        ),
                        _ => drop(limiter.acquire_blocking(&key).expect("no bound")),
                    }
                    admitted.fetch_add(1, Ordering::SeqCst);
                }
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        drive(&clock, Duration::from_nanos(50), &done, THREADS);
    });
    assert_eq!(admitted.into_inner(), THREADS * 200, "nobody is stuck");
    assert_eq!((limiter.waiting(&0_u8), limiter.waiting(&1_u8)), (0, 0));
}

//! The line in front of a window: turns that are handed over while others come, leave, and change the window.
//!
//! Nobody is woken by the clock here. Whoever waits is parked until somebody wakes it; if nobody does, the model ends in a
//! deadlock, and fails.

use std::{
    sync::Arc,
    task::{Context, Poll, Waker},
};

use loom::{
    future::block_on,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use super::{ModelClock, Modelled, admitted, limiter, model, per};

/// Another thread that waits for its turn.
fn waits(limiter: &Modelled) -> thread::JoinHandle<()> {
    let limiter = limiter.clone();
    thread::spawn(move || drop(block_on(limiter.acquire()).expect("there is no bound")))
}

/// A window with a limit of so many, of which so many are taken.
fn taken(most: u32, taken: usize) -> (Modelled, Arc<ModelClock>) {
    let (limiter, clock) = limiter(&[per(most, 10)]);
    assert_eq!(admitted(&limiter, taken), taken);
    (limiter, clock)
}

fn idle() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

#[test]
fn whoever_leaves_as_the_first_wakes_the_next() {
    model(Some(3), || {
        let (limiter, clock) = taken(1, 1);
        let first = limiter.clone();
        let mut first = Box::pin(first.acquire());
        assert!(first.as_mut().poll(&mut idle()).is_pending());
        let second = waits(&limiter);
        // There is room, and it was the first's.
        clock.advance(10);
        drop(first);
        second.join().expect("no panic");
        assert_eq!(limiter.waiting(), 0);
        assert_eq!(admitted(&limiter, 1), 0, "the unit was taken once");
    });
}

#[test]
fn whoever_was_admitted_wakes_the_next() {
    model(Some(3), || {
        let (limiter, clock) = taken(2, 2);
        let first = limiter.clone();
        let mut first = Box::pin(first.acquire());
        assert!(first.as_mut().poll(&mut idle()).is_pending());
        let second = waits(&limiter);
        clock.advance(10);
        assert!(matches!(first.as_mut().poll(&mut idle()), Poll::Ready(Ok(_))));
        second.join().expect("no panic");
        assert_eq!((limiter.waiting(), limiter.usage().live()), (0, 2));
    });
}

/// The window is emptied before the call decides, or after it: then the call is found in line.
#[test]
fn a_reset_meets_a_call_that_joins() {
    model(Some(3), || {
        let (limiter, _) = taken(1, 1);
        let waiter = waits(&limiter);
        limiter.reset();
        waiter.join().expect("no panic");
        assert_eq!((limiter.waiting(), limiter.usage().live()), (0, 1));
    });
}

#[test]
fn a_raised_limit_meets_a_call_that_joins() {
    model(Some(3), || {
        let (limiter, _) = taken(1, 1);
        let waiter = waits(&limiter);
        limiter.set_limits([per(2, 10)]).expect("it is one");
        waiter.join().expect("no panic");
        assert_eq!((limiter.waiting(), limiter.usage().live()), (0, 2));
    });
}

#[test]
fn a_refund_meets_a_call_that_joins() {
    model(Some(2), || {
        let (limiter, _) = taken(1, 0);
        let permit = limiter.try_acquire().expect("it was empty");
        let waiter = waits(&limiter);
        permit.refund();
        waiter.join().expect("no panic");
        assert_eq!((limiter.waiting(), limiter.usage().live()), (0, 1));
    });
}

#[test]
fn two_that_wait_have_their_turns_one_after_the_other() {
    model(Some(2), || {
        let (limiter, _) = taken(2, 2);
        let (first, second) = (waits(&limiter), waits(&limiter));
        // Both may have their turns now; who joined second, after who joined first.
        limiter.reset();
        first.join().expect("no panic");
        second.join().expect("no panic");
        assert_eq!((limiter.waiting(), limiter.usage().live()), (0, 2));
    });
}

/// A call that can know that another waits is not admitted past it.
#[test]
fn nobody_passes_whom_it_could_have_seen() {
    model(Some(3), || {
        let (limiter, clock) = taken(1, 1);
        let is_in_line = Arc::new(AtomicBool::new(false));
        let other = {
            let (limiter, is_in_line) = (limiter.clone(), is_in_line.clone());
            thread::spawn(move || {
                let mut acquire = Box::pin(limiter.acquire());
                let is_pending = acquire.as_mut().poll(&mut idle()).is_pending();
                is_in_line.store(is_pending, Ordering::Release);
                // It stands there for good.
                std::mem::forget(acquire);
            })
        };
        let knows = is_in_line.load(Ordering::Acquire);
        clock.advance(10);
        let is_admitted = limiter.check().is_ok();
        assert!(!(knows && is_admitted), "it was passed");
        other.join().expect("no panic");
        assert!(limiter.check().is_err(), "one was admitted, or one stands in line");
    });
}

/// Also where there is room by now.
#[test]
fn the_second_in_line_has_no_turn() {
    model(None, || {
        let (limiter, clock) = taken(1, 1);
        let (mut first, mut second) = (Box::pin(limiter.acquire()), Box::pin(limiter.acquire()));
        assert!(first.as_mut().poll(&mut idle()).is_pending());
        assert!(second.as_mut().poll(&mut idle()).is_pending());
        clock.advance(10);
        assert!(second.as_mut().poll(&mut idle()).is_pending(), "it passed the first");
        assert!(matches!(first.as_mut().poll(&mut idle()), Poll::Ready(Ok(_))));
    });
}

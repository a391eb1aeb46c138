//! Deadlines, wakers and clocks at their worst.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use windowlimit::{Clock, Limit, Limiter, Reason, Sleep};
use windowlimit_tests::crowd::Crowd;

use super::{Manual, full, ms, per};

fn idle() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// The turn was foreseen in time, and then other limits put it off.
#[test]
fn whoever_is_not_the_first_is_refused_at_its_deadline() {
    let (limiter, clock) = full(1, ms(1_000));
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    for id in 1..=3 {
        assert!(crowd.enter(id, limiter.acquire_within(ms(1_000 * (id as u64 + 1)))).is_none());
    }
    limiter.set_limits([per(1, 10_000_000_000)]).expect("it is one");
    assert_eq!(crowd.settle(|_| 0).len(), 0, "the first has no deadline");
    clock.advance(ms(1_999));
    assert_eq!(crowd.settle(|_| 0).len(), 0);
    clock.advance(ms(1));
    let refused = crowd.settle(|_| 0);
    assert!(
        matches!(&refused[..], [(1, Err(refusal))] if refusal.reason() == Reason::TurnTooLate
            // Behind the first, which has its turn in 8 s. The others will have left by then.
            && refusal.retry_after() == Some(ms(18_000))),
        "{refused:?}"
    );
    clock.advance(ms(2_000));
    let refused = crowd.settle(|woken| woken - 1);
    let ids: Vec<_> = refused.iter().map(|(id, result)| (*id, result.is_err())).collect();
    assert_eq!(ids, [(2, true), (3, true)].into_iter().rev().collect::<Vec<_>>());
    assert_eq!(limiter.waiting(), 1);
}

/// Each look ahead is as long as the line: they must not be as many as well.
#[test]
fn a_thousand_deadlines_at_once_are_one_look_ahead() {
    let (limiter, clock) = full(1, Duration::from_nanos(1));
    clock.advance(ms(1));
    limiter.set_limits([per(1, 1_000_000_000)]).expect("it is one");
    limiter.check().expect("it was empty");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    let patience = ms(1_001_000);
    for id in 1..=1_000 {
        assert!(crowd.enter(id, limiter.acquire_within(patience)).is_none());
    }
    limiter.set_limits([per(1, 10_000_000_000_000)]).expect("it is one");
    clock.advance(patience);
    let refused = crowd.settle(|_| 0);
    assert_eq!(refused.iter().filter(|(_, result)| result.is_err()).count(), 1_000);
    let retry: Vec<_> =
        refused.iter().map(|(_, result)| result.as_ref().unwrap_err().retry_after()).collect();
    assert!(retry.windows(2).all(|pair| pair[0] == pair[1]), "they were found late together");
    assert_eq!((limiter.waiting(), crowd.len()), (1, 1));
}

/// It has its turn at its deadline, and the one before it was woken, but is not polled.
#[test]
fn a_call_that_is_due_waits_for_those_before_it_but_not_for_ever() {
    let (limiter, clock) = full(2, ms(1_000));
    let (mut first, mut second) = (pin!(limiter.acquire()), pin!(limiter.acquire_within(ms(1_000))));
    assert!(first.as_mut().poll(&mut idle()).is_pending());
    assert!(second.as_mut().poll(&mut idle()).is_pending());
    clock.advance(ms(1_000));
    assert!(second.as_mut().poll(&mut idle()).is_pending(), "there is room for both");
    clock.advance(ms(50));
    assert!(second.as_mut().poll(&mut idle()).is_pending());
    clock.advance(ms(50));
    let Poll::Ready(Err(refusal)) = second.as_mut().poll(&mut idle()) else { panic!("it waits for ever") };
    assert_eq!(refusal.reason(), Reason::TurnTooLate);
    assert!(matches!(first.as_mut().poll(&mut idle()), Poll::Ready(Ok(_))));
}

#[test]
fn a_call_that_is_due_has_its_turn_after_those_before_it() {
    let (limiter, clock) = full(2, ms(1_000));
    let (mut first, mut second) = (pin!(limiter.acquire()), pin!(limiter.acquire_within(ms(1_000))));
    assert!(first.as_mut().poll(&mut idle()).is_pending() && second.as_mut().poll(&mut idle()).is_pending());
    clock.advance(ms(1_020));
    assert!(second.as_mut().poll(&mut idle()).is_pending());
    assert!(matches!(first.as_mut().poll(&mut idle()), Poll::Ready(Ok(_))));
    assert!(matches!(second.as_mut().poll(&mut idle()), Poll::Ready(Ok(_))), "a little late is not too late");
    assert!(second.as_mut().poll(&mut idle()).is_pending(), "and then it is done");
}

/// A waker that has something to do with the limiter when it is woken, and when it is dropped.
struct Busy(Arc<Limiter<Manual>>, Arc<AtomicUsize>);

impl Wake for Busy {
    fn wake(self: Arc<Self>) {
        let _ = self.0.check();
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = (self.0.waiting(), self.0.clock().sleeping());
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn wakers_may_call_the_limiter() {
    let (limiter, clock) = full(1, ms(1_000));
    let (limiter, dropped) = (Arc::new(limiter), Arc::new(AtomicUsize::new(0)));
    let waker = || Waker::from(Arc::new(Busy(limiter.clone(), dropped.clone())));
    let (mut first, mut second) = (Box::pin(limiter.acquire()), Box::pin(limiter.acquire()));
    for future in [&mut first, &mut second] {
        // The future moves from task to task: of each waker that it leaves behind this is the last.
        for _ in 0..3 {
            assert!(future.as_mut().poll(&mut Context::from_waker(&waker())).is_pending());
        }
    }
    assert_eq!(dropped.load(Ordering::SeqCst), 4);
    clock.advance(ms(1_000));
    limiter.reset();
    drop(first);
    assert!(matches!(second.as_mut().poll(&mut Context::from_waker(&waker())), Poll::Ready(Ok(_))));
    drop(second);
    assert_eq!(dropped.load(Ordering::SeqCst), 7);
}

/// Time that cannot be waited for.
struct Broken;

impl Clock for Broken {
    fn now(&self) -> u64 {
        1_000
    }

    fn sleep_until(&self, _: u64) -> Sleep<'_> {
        panic!("it has no timer")
    }
}

#[test]
fn a_clock_that_panics_leaves_nobody_in_line() {
    let limiter = Limiter::builder().limit(Limit::per_second(1)).clock(Broken).build().expect("it is one");
    limiter.check().expect("it was empty");
    let mut first = Box::pin(limiter.acquire());
    let panicked = catch_unwind(AssertUnwindSafe(|| first.as_mut().poll(&mut idle()).is_pending()));
    assert!(panicked.is_err() && limiter.waiting() == 1);
    drop(first);
    assert_eq!(limiter.waiting(), 0);
    limiter.reset();
    assert!(limiter.check().is_ok());
}

/// A clock that says what it is told to say, one reading after the other and then always the last, and notes until when
/// anybody sleeps.
struct Scripted {
    readings: Mutex<Vec<u64>>,
    sleeps: Mutex<Vec<u64>>,
}

impl Clock for Scripted {
    fn now(&self) -> u64 {
        let mut readings = self.readings.lock().expect("no panic");
        if readings.len() > 1 { readings.remove(0) } else { readings[0] }
    }

    fn sleep_until(&self, nanos: u64) -> Sleep<'_> {
        self.sleeps.lock().expect("no panic").push(nanos);
        Sleep::new(std::future::pending())
    }
}

/// A thread may stall between the decision and whatever comes then: that must not put its turn off, or past its deadline.
#[test]
fn a_turn_is_not_late_by_a_stall_after_the_decision() {
    let clock = Scripted { readings: Mutex::new(vec![10_000]), sleeps: Mutex::default() };
    let limiter = Limiter::builder().limit(per(1, 1_000)).clock(clock).build().expect("it is one");
    limiter.check().expect("it was empty");
    let say = |readings: &[u64]| *limiter.clock().readings.lock().expect("no panic") = readings.to_vec();
    let mut call = pin!(limiter.acquire_within(Duration::from_nanos(1_000)));
    say(&[10_000, 10_000, 10_400]);
    assert!(call.as_mut().poll(&mut idle()).is_pending(), "the turn is at the deadline");
    for readings in [[10_500, 10_500, 10_501], [10_700, 10_800, 10_900], [10_999, 10_999, 12_000]] {
        say(&readings);
        assert!(call.as_mut().poll(&mut idle()).is_pending(), "it still is");
    }
    let sleeps = limiter.clock().sleeps.lock().expect("no panic").clone();
    assert!(sleeps.iter().all(|&until| until <= 11_000), "{sleeps:?}");
    assert!(sleeps.contains(&11_000), "{sleeps:?}");
    say(&[11_000]);
    assert!(matches!(call.as_mut().poll(&mut idle()), Poll::Ready(Ok(_))));
}

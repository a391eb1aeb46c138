//! The faults of peers, each with the right answer: group 'waiting'.

use windowlimit::{KeyedLimiter, Limit, Reason};
use windowlimit_tests::crowd::Crowd;

use super::{Manual, full, limiter, ms};

/// The numbers of those who were admitted.
fn admitted<C: windowlimit::Clock>(crowd: &mut Crowd<windowlimit::Acquire<'_, C>>) -> Vec<usize> {
    let results = crowd.settle(|_| 0).into_iter();
    results.map(|(id, result)| result.map(|_| id).expect("nobody is refused")).collect()
}

#[test]
fn f63_one_key_does_not_wait_for_another() {
    let clock = Manual::default();
    let limiter =
        KeyedLimiter::builder().limit(Limit::per_minute(1)).clock(clock).build().expect("it is one");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire("a")).is_some_and(|result| result.is_ok()));
    assert!(crowd.enter(1, limiter.acquire("a")).is_none());
    assert!(limiter.check("b").is_ok(), "whoever waits holds nothing");
    assert!(crowd.enter(2, limiter.acquire("c")).is_some_and(|result| result.is_ok()));
    assert_eq!((limiter.waiting("a"), limiter.waiting("b"), limiter.waiting("c")), (1, 0, 0));
}

#[test]
fn f64_one_unit_is_for_one_and_the_others_wait_on() {
    let (limiter, clock) = full(2, ms(1_000));
    clock.advance(ms(400));
    limiter.check().expect_err("it is full");
    let mut crowd = Crowd::default();
    for id in 0..5 {
        assert!(crowd.enter(id, limiter.acquire_within(ms(3_000))).is_none());
    }
    // Two units come free a window after they were taken, two more a window after that, and then one.
    clock.advance(ms(600));
    assert_eq!(admitted(&mut crowd), [0, 1]);
    clock.advance(ms(999));
    assert!(admitted(&mut crowd).is_empty());
    clock.advance(ms(1));
    assert_eq!(admitted(&mut crowd), [2, 3]);
    clock.advance(ms(1_000));
    assert_eq!(admitted(&mut crowd), [4], "its deadline is later");
}

#[test]
fn f65_a_large_cost_in_front_holds_nobody_up_once_it_is_dropped() {
    let (limiter, clock) = limiter(&[Limit::per_minute(10)]);
    limiter.check_n(5).expect("it was empty");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire().cost(10)).is_none());
    assert!(crowd.enter(1, limiter.acquire().cost(3)).is_none(), "not past a call that waits");
    assert!(crowd.enter(2, limiter.acquire().cost(2)).is_none());
    crowd.leave(0);
    assert_eq!(admitted(&mut crowd), [1, 2], "at once");

    let refusal = crowd.enter(3, limiter.acquire().cost(11)).expect("at once").expect_err("it is too large");
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::NeverFits, None));
    assert!(crowd.enter(4, limiter.acquire()).is_none());
    let refusal = crowd.enter(5, limiter.acquire().cost(11)).expect("at once").expect_err("it is too large");
    assert_eq!(refusal.reason(), Reason::NeverFits, "also where others wait");
    clock.advance(ms(60_000));
    assert_eq!(admitted(&mut crowd), [4]);
}

#[test]
fn f66_a_call_that_is_dropped_when_it_was_woken_passes_its_turn_on() {
    let (limiter, clock) = full(1, ms(1_000));
    let mut crowd = Crowd::default();
    for id in 0..3 {
        assert!(crowd.enter(id, limiter.acquire()).is_none());
    }
    clock.advance(ms(1_000));
    // The first was woken, and is gone before it is polled.
    crowd.leave(0);
    assert_eq!(admitted(&mut crowd), [1]);
    clock.advance(ms(1_000));
    crowd.leave(2);
    assert!(crowd.is_empty());
    assert!(limiter.check().is_ok(), "the unit is not lost");
    assert_eq!(limiter.waiting(), 0);
}

#[test]
fn f67_a_deadline_before_the_earliest_turn_is_refused_at_once() {
    let (limiter, clock) = full(1, ms(1_000));
    let mut crowd = Crowd::default();
    let refusal =
        crowd.enter(0, limiter.acquire_within(ms(999))).expect("at once").expect_err("it is too late");
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::TurnTooLate, Some(ms(1_000))));
    assert_eq!(
        format!("{refusal:#}"),
        "Too many requests, please try again later. (`api` admits 1 per 1s; the turn of this call is in 1s, later than it \
         would wait)"
    );
    assert!(crowd.enter(1, limiter.acquire_within(ms(1_000))).is_none(), "at the deadline is not after it");
    // Behind it, a turn is a window later.
    let refusal =
        crowd.enter(2, limiter.acquire_within(ms(1_999))).expect("at once").expect_err("it is too late");
    assert_eq!(refusal.retry_after(), Some(ms(2_000)));
    assert!(crowd.enter(3, limiter.acquire_within(ms(2_000))).is_none());
    clock.advance(ms(1_000));
    assert_eq!(admitted(&mut crowd), [1]);
    clock.advance(ms(1_000));
    assert_eq!(admitted(&mut crowd), [3]);
}

#[test]
fn f68_a_wait_that_is_refused_delays_nobody() {
    let (limiter, clock) = full(1, ms(1_000));
    let mut crowd = Crowd::default();
    for id in 0..100 {
        assert!(crowd.enter(id, limiter.acquire_within(ms(500))).is_some_and(|result| result.is_err()));
    }
    assert!(crowd.enter(100, limiter.acquire()).is_none());
    clock.advance(ms(1_000));
    assert_eq!(admitted(&mut crowd), [100]);
}

#[test]
fn f69_nobody_passes_a_call_that_waits() {
    let (limiter, clock) = full(1, ms(1_000));
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    clock.advance(ms(1_000));
    // There is room, and it is for the one who waits, who has not been polled yet.
    let refusal = limiter.check().expect_err("somebody waits");
    assert_eq!(refusal.reason(), Reason::OthersWait);
    assert_eq!(refusal.retry_after(), Some(ms(1_000)), "when the line will have passed");
    assert_eq!(
        format!("{refusal:#}"),
        "Too many requests, please try again later. (`api` admits 1 per 1s; others wait in line, and the turn after them \
         is in 1s)"
    );
    assert_eq!(limiter.check_n(0).expect_err("somebody waits").reason(), Reason::OthersWait);
    assert_eq!(limiter.check_n(2).expect_err("it never fits").reason(), Reason::NeverFits);
    assert!(crowd.enter(1, limiter.acquire()).is_none(), "nor does one that would wait");
    assert_eq!(admitted(&mut crowd), [0]);
    clock.advance(ms(1_000));
    assert_eq!(admitted(&mut crowd), [1]);
    clock.advance(ms(1_000));
    assert!(limiter.check().is_ok(), "nobody waits any more");
}

#[test]
fn f70_a_turn_on_a_manual_clock_comes_when_that_clock_moves() {
    let (limiter, clock) = full(1, ms(3_600_000));
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    assert_eq!(clock.sleeping(), 1, "on this clock, and on no other");
    clock.advance(ms(3_600_000) - std::time::Duration::from_nanos(1));
    assert_eq!((crowd.wakes(), admitted(&mut crowd)), (0, vec![]));
    clock.advance(std::time::Duration::from_nanos(1));
    assert_eq!((crowd.wakes(), admitted(&mut crowd)), (1, vec![0]));
    assert_eq!(clock.sleeping(), 0);
}

#[test]
fn f71_one_more_than_may_wait_is_refused_at_once() {
    let (limiter, clock) = full(1, ms(1_000));
    let limiter = limiter.with_max_waiters(2);
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    assert!(crowd.enter(1, limiter.acquire()).is_none());
    let refusal = crowd.enter(2, limiter.acquire()).expect("at once").expect_err("two wait");
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::LineFull, Some(ms(3_000))));
    assert_eq!(
        format!("{refusal:#}"),
        "Too many requests, please try again later. (`api` admits 1 per 1s; 2 wait in line, the most that may, and the \
         turn after them is in 3s)"
    );
    // A call may bring a bound of its own.
    assert_eq!(
        crowd.enter(3, limiter.acquire().max_waiters(1)).expect("at once").expect_err("two wait").reason(),
        Reason::LineFull
    );
    clock.advance(ms(1_000));
    assert_eq!(admitted(&mut crowd), [0]);
    assert!(crowd.enter(4, limiter.acquire()).is_none(), "there is a place again");
    let none = limiter.acquire().max_waiters(0);
    assert_eq!(crowd.enter(5, none).expect("at once").expect_err("nobody may").reason(), Reason::LineFull);
}

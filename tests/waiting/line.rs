//! The order of a line, and what it costs to keep it.

use windowlimit::{Algorithm, Limit, Limiter, Reason};
use windowlimit_tests::crowd::Crowd;

use super::{Manual, full, limiter, ms, per};

#[test]
fn a_thousand_are_admitted_in_the_order_in_which_they_came() {
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let clock = Manual::default();
        let limiter = Limiter::builder().limit(per(7, 1_000)).algorithm(algorithm).clock(clock.clone());
        let limiter = limiter.build().expect("it is one");
        let mut rng = fastrand::Rng::with_seed(7);
        let mut crowd = Crowd::default();
        let mut order = Vec::new();
        for id in 0..1_000 {
            order.extend(
                crowd.enter(id, limiter.acquire()).map(|result| result.map(|_| id).expect("no bound")),
            );
        }
        while !crowd.is_empty() {
            clock.advance(std::time::Duration::from_nanos(rng.u64(1..400)));
            let results = crowd.settle(|woken| rng.usize(..woken));
            order.extend(results.into_iter().map(|(id, result)| result.map(|_| id).expect("no bound")));
        }
        assert!(order.iter().copied().eq(0..1_000), "{algorithm:?}: {order:?}");
    }
}

#[test]
fn wake_ups_are_linear_in_the_admissions() {
    let (limiter, clock) = limiter(&[per(10, 1_000)]);
    let mut crowd = Crowd::default();
    let mut admitted = 0;
    for id in 0..1_000 {
        admitted += usize::from(crowd.enter(id, limiter.acquire()).is_some());
    }
    assert_eq!(admitted, 10);
    let polls = crowd.polls();
    while !crowd.is_empty() {
        clock.advance(std::time::Duration::from_nanos(500));
        admitted += crowd.settle(|_| 0).len();
    }
    assert_eq!(admitted, 1_000);
    // One by whoever was before, and one by the clock where there was no room yet.
    assert!(crowd.wakes() <= 2 * 990, "{} wake-ups", crowd.wakes());
    assert!(crowd.polls() - polls <= 2 * 990, "{} polls", crowd.polls() - polls);
    assert_eq!(clock.sleeping(), 0);
}

#[test]
fn only_the_first_sleeps_on_the_clock() {
    let (limiter, clock) = full(1, ms(1_000));
    let mut crowd = Crowd::default();
    for id in 0..100 {
        assert!(crowd.enter(id, limiter.acquire()).is_none());
    }
    assert_eq!((clock.sleeping(), limiter.waiting()), (1, 100));
}

#[test]
fn a_large_cost_is_not_starved_by_small_ones() {
    let (limiter, clock) = limiter(&[per(10, 1_000)]);
    let mut crowd = Crowd::default();
    for _ in 0..10 {
        clock.advance(std::time::Duration::from_nanos(100));
        limiter.check().expect("it is not full");
    }
    assert!(crowd.enter(0, limiter.acquire().cost(10)).is_none());
    for id in 1..200 {
        clock.advance(std::time::Duration::from_nanos(10));
        // It comes while a unit or more is free.
        assert_eq!(limiter.check().is_ok(), id > 100 && crowd.is_empty());
        assert!(
            crowd.enter(id, limiter.acquire_within(std::time::Duration::from_nanos(900))).is_some()
                || id > 90
        );
        if crowd.settle(|_| 0).iter().any(|(id, result)| *id == 0 && result.is_ok()) {
            assert_eq!(id, 100, "a window after the newest of the small ones");
            return;
        }
    }
    panic!("it never had its turn");
}

#[test]
fn whoever_is_polled_too_often_loses_nothing() {
    let (limiter, clock) = full(2, ms(1_000));
    let mut crowd = Crowd::default();
    for id in 0..6 {
        assert!(crowd.enter(id, limiter.acquire()).is_none());
    }
    let mut order = Vec::new();
    for _ in 0..400 {
        clock.advance(ms(10));
        for _ in 0..3 {
            crowd.poll_all();
            order.extend(crowd.settle(|woken| woken - 1).into_iter().map(|(id, _)| id));
        }
    }
    assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    assert_eq!(clock.sleeping(), 0, "nothing is left of the sleeps that were begun anew");
}

/// What brings a turn forward wakes the first in line.
#[test]
fn a_refund_a_reset_and_a_raised_limit_are_noticed_at_once() {
    let (limiter, clock) = limiter(&[Limit::per_minute(1)]);
    let mut crowd = Crowd::default();
    let permit = limiter.try_acquire().expect("it was empty");
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    permit.refund();
    assert!(matches!(&crowd.settle(|_| 0)[..], [(0, Ok(_))]), "by a refund");

    assert!(crowd.enter(1, limiter.acquire()).is_none());
    limiter.reset();
    assert!(matches!(&crowd.settle(|_| 0)[..], [(1, Ok(_))]), "by a reset");

    assert!(crowd.enter(2, limiter.acquire()).is_none());
    assert!(crowd.enter(3, limiter.acquire()).is_none());
    limiter.set_limits([Limit::per_minute(2)]).expect("it is one");
    assert!(matches!(&crowd.settle(|_| 0)[..], [(2, Ok(_))]), "by another limit");
    limiter.set_limits([Limit::per_minute(2), Limit::per_hour(0)]).expect("they are some");
    let refused = crowd.settle(|_| 0);
    assert!(
        matches!(&refused[..], [(3, Err(refusal))] if refusal.reason() == Reason::NeverFits),
        "{refused:?}"
    );
    assert_eq!((limiter.waiting(), clock.sleeping()), (0, 0));
}

#[test]
fn other_limits_that_put_a_turn_off_are_kept() {
    let (limiter, clock) = full(2, ms(1_000));
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire_within(ms(1_500))).is_none());
    assert!(crowd.enter(1, limiter.acquire_within(ms(1_400))).is_none());
    limiter.set_limits([per(1, 2_000_000_000)]).expect("it is one");
    // The first is woken, and sees that its turn comes after its deadline; then the next.
    let refused = crowd.settle(|_| 0);
    assert!(
        matches!(&refused[..], [(0, Err(first)), (1, Err(second))]
            if first.retry_after() == Some(ms(2_000)) && second.retry_after() == Some(ms(2_000))),
        "{refused:?}"
    );
    assert_eq!(clock.sleeping(), 0);
}

#[test]
fn a_misconfigured_or_empty_limiter_lets_nobody_wait() {
    static NONE: Limiter = Limiter::all_of("none", &[]);
    static ZERO: Limiter = Limiter::new("zero", Limit::per_hour(0));
    let mut crowd = Crowd::default();
    let refusal = crowd.enter(0, NONE.acquire()).expect("at once").expect_err("it has no limit");
    assert_eq!(refusal.reason(), Reason::Misconfigured);
    let refusal = crowd.enter(1, ZERO.acquire()).expect("at once").expect_err("nothing fits");
    assert_eq!(refusal.reason(), Reason::NeverFits);
    assert!(crowd.enter(2, ZERO.acquire().cost(0)).is_some_and(|result| result.is_ok()));
    assert_eq!((NONE.waiting(), ZERO.waiting()), (0, 0));
}

#[test]
fn several_limits_have_one_line() {
    let (limiter, clock) = limiter(&[per(2, 1_000), per(3, 10_000)]);
    let mut crowd = Crowd::default();
    let mut at = Vec::new();
    for id in 0..6 {
        crowd.enter(id, limiter.acquire()).map(|result| result.expect("no bound"));
    }
    for now in (0..20_000).step_by(500) {
        at.extend(crowd.settle(|_| 0).into_iter().map(|(id, _)| (id, now)));
        clock.advance(std::time::Duration::from_nanos(500));
    }
    assert_eq!(at, [(2, 1_000), (3, 10_000), (4, 10_000), (5, 11_000)]);
}

#[test]
fn what_waits_is_nothing_until_it_is_polled() {
    let (limiter, _) = full(1, ms(1_000));
    let waits = limiter.acquire();
    assert_eq!(limiter.waiting(), 0);
    assert_eq!(
        format!("{waits:?}"),
        "Acquire { limiter: \"api\", cost: 1, within: None, is_in_line: false }"
    );
    drop(waits);
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    assert!(format!("{limiter:?}").contains("waiting: 1"));
}

#[test]
fn a_future_can_be_sent() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let (limiter, _) = full(1, ms(1_000));
    drop(sent(limiter.acquire_within(ms(1))));
}

/// Who cannot have its turn before its deadline will have left by then: those behind it need not wait for that.
#[test]
fn who_will_give_up_is_not_counted() {
    let nanos = std::time::Duration::from_nanos;
    let (limiter, clock) = limiter(&[per(2, 49)]);
    assert!(limiter.check().is_ok() && limiter.check().is_ok());
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    assert!(crowd.enter(1, limiter.acquire_within(nanos(50))).is_none());
    limiter.set_limits([per(1, 56)]).expect("it is one");
    // The first at 56, the second not before 112, but it leaves at 50; so the third at 112.
    assert!(crowd.enter(2, limiter.acquire_within(nanos(112))).is_none());
    let mut order = Vec::new();
    for _ in 0..112 {
        clock.advance(nanos(1));
        order.extend(crowd.settle(|_| 0).into_iter().map(|(id, result)| (id, result.is_ok())));
    }
    assert_eq!(order, [(1, false), (0, true), (2, true)]);
}

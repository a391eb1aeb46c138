//! Lines of keys.

use windowlimit::{Algorithm, KeyedLimiter, Limit, Reason};
use windowlimit_tests::crowd::Crowd;

use super::{Manual, ms, per};

fn keyed(max: u32) -> (KeyedLimiter<Manual>, Manual) {
    let clock = Manual::default();
    let limiter = KeyedLimiter::builder().name("api").limit(per(max, 1_000_000_000)).clock(clock.clone());
    (limiter.build().expect("it is one"), clock)
}

#[test]
fn each_key_has_a_line_of_its_own() {
    let (limiter, clock) = keyed(1);
    let mut crowd = Crowd::default();
    let mut order = Vec::new();
    for id in 0..30 {
        if crowd.enter(id, limiter.acquire(&(id % 3))).is_some() {
            order.push(id);
        }
        clock.advance(ms(1));
    }
    assert_eq!(order, [0, 1, 2]);
    for _ in 0..10_000 {
        clock.advance(ms(1));
        order.extend(crowd.settle(|_| 0).into_iter().map(|(id, _)| id));
    }
    assert!(order.iter().copied().eq(0..30), "{order:?}");
    assert_eq!((0..3).map(|key| limiter.waiting(&key)).sum::<usize>(), 0);
}

#[test]
fn a_call_of_the_same_key_passes_nobody() {
    let (limiter, clock) = keyed(1);
    limiter.check("a").expect("it is new");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire("a")).is_none());
    clock.advance(ms(1_000));
    let refusal = limiter.check("a").expect_err("somebody waits");
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::OthersWait, Some(ms(1_000))));
    assert!(limiter.check("b").is_ok());
    assert_eq!(crowd.settle(|_| 0).len(), 1);
}

#[test]
fn a_refund_a_removal_a_reset_and_other_limits_are_noticed_at_once() {
    let (limiter, _) = keyed(1);
    let mut crowd = Crowd::default();
    let permit = limiter.try_acquire("a").expect("it is new");
    assert!(crowd.enter(0, limiter.acquire("a")).is_none());
    permit.refund();
    assert!(matches!(&crowd.settle(|_| 0)[..], [(0, Ok(_))]));
    assert!(crowd.enter(1, limiter.acquire("a")).is_none());
    assert!(limiter.remove("a"));
    assert!(matches!(&crowd.settle(|_| 0)[..], [(1, Ok(_))]));
    assert!(crowd.enter(2, limiter.acquire("a")).is_none());
    limiter.reset();
    assert!(matches!(&crowd.settle(|_| 0)[..], [(2, Ok(_))]));
    limiter.check("b").expect("it is new");
    assert!(crowd.enter(3, limiter.acquire("a")).is_none() && crowd.enter(4, limiter.acquire("b")).is_none());
    limiter.set_limits([per(2, 1_000_000_000)]).expect("it is one");
    assert_eq!(crowd.settle(|_| 0).len(), 2);
}

#[test]
fn limits_come_with_a_call_that_waits() {
    let clock = Manual::default();
    let limiter =
        KeyedLimiter::builder().longest(ms(10_000)).clock(clock.clone()).build().expect("it has a window");
    let (free, paid) = ([per(1, 1_000_000_000)], [per(3, 1_000_000_000)]);
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire_for("ann", &free)).is_some_and(|result| result.is_ok()));
    assert!(crowd.enter(1, limiter.acquire_for("ann", &free)).is_none());
    // Behind the one that waits, whatever she pays; then there is room for two more.
    assert!(crowd.enter(2, limiter.acquire_for("ann", &paid).within(ms(1_000))).is_none());
    let refusal = crowd.enter(3, limiter.acquire_for("ann", &free).within(ms(1_500))).expect("at once");
    assert_eq!(refusal.expect_err("it is too late").retry_after(), Some(ms(2_000)));
    clock.advance(ms(1_000));
    assert_eq!(crowd.settle(|_| 0).into_iter().map(|(id, _)| id).collect::<Vec<_>>(), [1, 2]);
    for limits in [&[][..], &[Limit::per_hour(1)]] {
        let refusal = crowd.enter(4, limiter.acquire_for("ann", limits)).expect("at once");
        assert_eq!(refusal.expect_err("it is none").reason(), Reason::Misconfigured);
    }
}

#[test]
fn a_key_too_many_does_not_wait() {
    let clock = Manual::default();
    let limiter = KeyedLimiter::builder().limit(per(1, 1_000_000_000)).max_keys(1).clock(clock.clone());
    let limiter = limiter.build().expect("it is one");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire("a")).is_some_and(|result| result.is_ok()));
    let refusal =
        crowd.enter(1, limiter.acquire("b")).expect("at once").expect_err("there is no room for it");
    assert_eq!(refusal.reason(), Reason::TooManyKeys);
    assert!(crowd.enter(2, limiter.acquire("a")).is_none(), "the key that is there waits");
    clock.advance(ms(1_000));
    assert_eq!(crowd.settle(|_| 0).len(), 1);
}

#[test]
fn a_bound_is_for_each_key() {
    let (limiter, _) = keyed(1);
    let limiter = limiter.with_max_waiters(1);
    let mut crowd = Crowd::default();
    for key in ["a", "b"] {
        assert!(crowd.enter(0, limiter.acquire(key)).is_some());
        assert!(crowd.enter(1, limiter.acquire(key)).is_none());
        let refusal = crowd.enter(2, limiter.acquire(key)).expect("at once").expect_err("one waits");
        assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::LineFull, Some(ms(2_000))));
    }
}

/// Its admissions have left when its turn comes: by then the key would be idle, and another would have its place.
#[test]
fn a_key_for_which_somebody_waits_is_not_given_away() {
    let clock = Manual::default();
    let limiter = KeyedLimiter::builder().limit(per(1, 1_000_000_000)).max_keys(1).clock(clock.clone());
    let limiter = limiter.build().expect("it is one");
    limiter.check("a").expect("it is new");
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire("a")).is_none());
    clock.advance(ms(5_000));
    assert_eq!(limiter.check("b").expect_err("somebody waits for the other").reason(), Reason::TooManyKeys);
    assert!(matches!(&crowd.settle(|_| 0)[..], [(0, Ok(_))]));
    clock.advance(ms(5_000));
    assert!(limiter.check("b").is_ok(), "nobody waits any more");
}

/// To ask for a turn, and to be refused, changes nothing of what is foreseen for others; and so it comes.
#[test]
fn who_only_asks_changes_no_turn() {
    let nanos = std::time::Duration::from_nanos;
    let foreseen_and_true = |asks: bool| {
        let clock = Manual::default();
        let limiter =
            KeyedLimiter::builder().limits([per(4, 39), per(1, 58)]).algorithm(Algorithm::Segmented(3));
        let limiter = limiter.clock(clock.clone()).build().expect("they are some");
        limiter.check_for("k", &[per(4, 35), per(3, 26)], 3).expect("it is new");
        limiter.check("k").expect_err("it is full");
        let mut crowd = Crowd::default();
        assert!(crowd.enter(0, limiter.acquire_for("k", &[per(3, 49), per(1, 50)])).is_none());
        if asks {
            limiter.check_for("k", &[per(4, 39), per(1, 58)], 1).expect_err("somebody waits");
        }
        let third = [per(3, 26), per(2, 50)];
        let late = limiter.acquire_for("k", &third).within(nanos(0));
        let foreseen = crowd.enter(1, late).expect("at once").expect_err("it is too late").retry_after();
        assert!(crowd.enter(2, limiter.acquire_for("k", &third)).is_none());
        let turn = (1..200).find(|_| {
            clock.advance(nanos(1));
            crowd.settle(|_| 0).iter().any(|(id, _)| *id == 2)
        });
        (foreseen.expect("it has one"), nanos(turn.expect("it comes")))
    };
    let (foreseen, turn) = foreseen_and_true(false);
    assert_eq!(foreseen, turn);
    assert_eq!(foreseen_and_true(true), (turn, turn));
}

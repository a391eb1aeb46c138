//! Order and instants: the scripts decide at the instants of a manual clock, on which those who wait sleep as well.

use std::{sync::Arc, time::Duration};

use windowlimit::{
    Algorithm, Decider, KeyedLimiter, Limit, ManualClock, OnStoreError, RateLimitExceeded, Reason,
    RedisStore, SharedAcquire, SharedLimiter, SharedPermit,
};
use windowlimit_tests::crowd::Crowd;

use super::{ms, per};
use crate::server::{Program, Server, until};

type Decided<'l> = Result<SharedPermit<'l>, RateLimitExceeded>;
type Line<'l> = Crowd<SharedAcquire<'l>>;

/// A limiter whose time is that of a clock, at first full.
fn full(store: &RedisStore, name: &str, limit: Limit) -> (SharedLimiter, Arc<ManualClock>) {
    let (limiter, clock) = manual(store, name, limit, Algorithm::Exact);
    limiter.check_n(&(), limit.max()).expect("it is empty");
    (limiter, clock)
}

fn manual(
    store: &RedisStore,
    name: &str,
    limit: Limit,
    algorithm: Algorithm,
) -> (SharedLimiter, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::starting_at(1_000_000_000_000));
    let limiter = SharedLimiter::builder(store, name.to_owned()).limit(limit).algorithm(algorithm);
    let limiter = limiter.on_store_error(OnStoreError::Deny).instants(Arc::clone(&clock));
    (limiter.build().expect("it has a limit"), clock)
}

/// Polls whoever is woken until so many are done.
fn done<'l>(crowd: &mut Line<'l>, count: usize) -> Vec<(usize, Decided<'l>)> {
    let mut results = Vec::new();
    until("they are done", || {
        results.extend(crowd.settle(|_| 0));
        results.len() >= count
    });
    assert_eq!(results.len(), count, "{results:?}");
    results
}

/// Polls whoever is woken until so many sleep, and nobody is asked about.
fn asleep<'l>(crowd: &mut Line<'l>, clock: &ManualClock, sleepers: usize) -> Vec<(usize, Decided<'l>)> {
    let mut results = Vec::new();
    until("they sleep", || {
        results.extend(crowd.settle(|_| 0));
        clock.sleeping() == sleepers
    });
    results
}

fn ids(results: &[(usize, Decided<'_>)]) -> Vec<usize> {
    results.iter().map(|(id, result)| result.as_ref().map(|_| *id).expect("it is admitted")).collect()
}

/// Lets a call in that has to wait, and polls it until it sleeps.
fn enter<'l>(crowd: &mut Line<'l>, clock: &ManualClock, id: usize, call: SharedAcquire<'l>, sleepers: usize) {
    assert!(crowd.enter(id, call).is_none(), "{id} is not admitted");
    assert!(asleep(crowd, clock, sleepers).is_empty(), "{id} is the last");
}

fn refusal(result: Decided<'_>) -> (Reason, Option<Duration>) {
    let refusal = result.expect_err("it is refused");
    (refusal.reason(), refusal.retry_after())
}

/// Beside a line of one process: there is only this one, so all is the same.
pub(crate) fn a_crowd_has_its_turns_in_order_to_the_microsecond(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let mut rng = fastrand::Rng::with_seed(7);
        let limit = Limit::new(7, Duration::from_micros(1_000)).expect("it is one");
        let (limiter, clock) = manual(&store, "crowd", limit, algorithm);
        let plain = KeyedLimiter::builder().limit(limit).algorithm(algorithm).clock(Arc::clone(&clock));
        let plain = plain.build().expect("it has a limit");
        let (mut crowd, mut expected) = (Crowd::default(), Crowd::default());
        let (mut order, mut expected_order) = (Vec::new(), Vec::new());
        for id in 0..200 {
            let cost = rng.u32(1..4);
            if let Some(result) = expected.enter(id, plain.acquire(&()).cost(cost)) {
                expected_order.push((id, result.expect("no bound").remaining()));
            }
            if let Some(result) = crowd.enter(id, limiter.acquire(&()).cost(cost)) {
                order.push((id, result.expect("no bound").remaining()));
            }
        }
        while !crowd.is_empty() {
            let results = done(&mut crowd, expected_order.len() - order.len());
            order.extend(results.into_iter().map(|(id, result)| (id, result.expect("no bound").remaining())));
            if !crowd.is_empty() {
                let sooner = asleep(&mut crowd, &clock, 2);
                assert!(sooner.is_empty(), "{:?}", ids(&sooner));
            }
            assert_eq!(order, expected_order, "{algorithm:?}");
            clock.advance(Duration::from_micros(rng.u64(1..400)));
            let results = expected.settle(|_| 0).into_iter();
            expected_order.extend(results.map(|(id, result)| (id, result.expect("no bound").remaining())));
        }
        assert_eq!((order.len(), limiter.degraded()), (200, 0), "{:?}", store.last_error());
    }
}

/// A flood of calls that wait is no flood of questions, and calls for which there is room do not wait for each other.
pub(crate) fn a_flood_that_waits_asks_little(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let (limiter, clock) = manual(&store, "flood", per(2_000, 1_000), Algorithm::Exact);
    let mut crowd = Line::default();
    let mut order = Vec::new();
    for id in 0..1_500 {
        // There is room for all of them, whatever the bound.
        let result = crowd.enter(id, limiter.acquire(&()).max_waiters(1));
        order.extend(result.map(|result| (id, result.expect("there is room").remaining())));
    }
    let count = 1_500 - order.len();
    let results = done(&mut crowd, count);
    order.extend(results.into_iter().map(|(id, result)| (id, result.expect("there is room").remaining())));
    assert!(order.iter().copied().eq((0..1_500).zip((500..2_000).rev())), "{order:?}");
    assert!(store.asked() <= 20, "{} questions", store.asked());

    let asked = store.asked();
    let mut admitted = 0;
    for id in 0..1_500 {
        admitted += usize::from(crowd.enter(id, limiter.acquire(&())).is_some());
    }
    admitted += asleep(&mut crowd, &clock, 1).len();
    assert_eq!((admitted, limiter.waiting(&())), (500, 1_000));
    assert!(store.asked() - asked <= 20, "{} questions", store.asked() - asked);
    let asked = store.asked();
    assert!((0..100).all(|_| limiter.check(&()).expect_err("others wait").reason() == Reason::OthersWait));
    assert_eq!(store.asked(), asked);
    clock.advance(ms(1_000));
    let rest = done(&mut crowd, 1_000);
    assert!(ids(&rest).is_sorted(), "{:?}", ids(&rest));
    assert!(store.asked() - asked <= 20, "{} questions", store.asked() - asked);
    assert_eq!(limiter.degraded(), 0, "{:?}", store.last_error());
}

pub(crate) fn who_leaves_has_cost_nothing_and_wakes_the_next(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let (limiter, clock) = manual(&store, "leaves", per(2, 1_000), Algorithm::Exact);
    // They are dropped at different moments: while they are asked about, when the server has decided, and when one of them
    // has looked and others were granted their turn.
    let live = || limiter.usage(&()).expect("the server answers").live();
    for round in 0..42_u32 {
        let mut crowd = Line::default();
        let entered = (0..4).filter_map(|id| crowd.enter(id, limiter.acquire(&())));
        let mut admitted: Vec<_> = entered.collect();
        match round % 3 {
            0 => {}
            1 => until("the server has decided", || live() > 0),
            _ => admitted.extend(done(&mut crowd, 1).into_iter().map(|(_, result)| result)),
        }
        drop(crowd);
        for permit in admitted {
            permit.expect("there is room for two").refund();
        }
        if round % 3 > 0 {
            until("all is given back", || live() == 0);
        }
    }
    until("all is given back", || live() == 0);
    assert_eq!(limiter.waiting(&()), 0);

    limiter.check_n(&(), 2).expect("it is empty");
    let mut crowd = Line::default();
    for (id, cost) in [(0, 2), (1, 1), (2, 1), (3, 1)] {
        enter(&mut crowd, &clock, id, limiter.acquire(&()).cost(cost), 1);
    }
    // The one in the middle wakes nobody; the first one does, and what is known still holds: a smaller call asks.
    crowd.leave(2);
    crowd.leave(0);
    assert!(asleep(&mut crowd, &clock, 1).is_empty());
    clock.advance(ms(1_000));
    assert_eq!(ids(&done(&mut crowd, 2)), [1, 3]);
    assert_eq!((limiter.waiting(&()), limiter.degraded()), (0, 0), "{:?}", store.last_error());
}

pub(crate) fn f67_a_turn_after_the_deadline_is_refused_at_once(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let (limiter, clock) = full(&store, "deadline", per(2, 1_000));
    let mut crowd = Line::default();
    clock.advance(ms(100));
    // The first one has to ask.
    let result = crowd.enter(0, limiter.acquire_within(&(), ms(899)));
    let result = result.unwrap_or_else(|| done(&mut crowd, 1).remove(0).1);
    assert_eq!(refusal(result), (Reason::TurnTooLate, Some(ms(900))));
    enter(&mut crowd, &clock, 1, limiter.acquire_within(&(), ms(900)), 1);
    enter(&mut crowd, &clock, 2, limiter.acquire_within(&(), ms(900)), 2);
    // Two fit then, and two a window later: the next know without asking.
    let asked = store.asked();
    let result = crowd.enter(3, limiter.acquire_within(&(), ms(1_899))).expect("it is known at once");
    assert_eq!(refusal(result), (Reason::TurnTooLate, Some(ms(1_900))));
    let result = crowd.enter(4, limiter.acquire(&()).within(ms(1_899)).cost(2)).expect("it is known at once");
    assert_eq!(refusal(result), (Reason::TurnTooLate, Some(ms(1_900))));
    enter(&mut crowd, &clock, 5, limiter.acquire_within(&(), ms(1_900)), 3);
    let others = limiter.check(&()).expect_err("others wait");
    assert_eq!((others.reason(), others.retry_after()), (Reason::OthersWait, Some(ms(1_900))));
    assert_eq!(others.decider(), Decider::Process);
    assert_eq!(store.asked(), asked);
    clock.advance(ms(900));
    assert_eq!(ids(&done(&mut crowd, 2)), [1, 2]);
    clock.advance(ms(1_000));
    assert_eq!(ids(&done(&mut crowd, 1)), [5]);
}

/// Also of one behind another that is not polled, and cannot know that it could have its turn.
pub(crate) fn a_deadline_ends_the_wait(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let (limiter, clock) = full(&store, "ends", per(2, 1_000));
    let (mut held_up, mut crowd) = (Line::default(), Line::default());
    enter(&mut held_up, &clock, 0, limiter.acquire(&()), 1);
    enter(&mut crowd, &clock, 1, limiter.acquire_within(&(), ms(1_500)), 2);
    enter(&mut crowd, &clock, 2, limiter.acquire(&()), 2);
    clock.advance(ms(1_499));
    assert!(crowd.settle(|_| 0).is_empty());
    // The other one may be polled any moment.
    clock.advance(ms(1));
    assert!(crowd.settle(|_| 0).is_empty());
    clock.advance(ms(100));
    let mut results = crowd.settle(|_| 0);
    assert_eq!((results.len(), limiter.waiting(&())), (1, 2));
    let (id, result) = results.remove(0);
    assert_eq!((id, refusal(result).0), (1, Reason::TurnTooLate));
    assert_eq!(ids(&done(&mut held_up, 1)), [0]);
    assert_eq!(ids(&done(&mut crowd, 1)), [2]);
}

/// What others take is found out by asking, and those are refused who cannot have their turns in time any more.
pub(crate) fn a_turn_that_comes_later_is_told_when_it_is_known(program: &Program) {
    let server = Server::start(program);
    let (store, others) = (server.store(), server.store());
    let (limiter, clock) = full(&store, "later", per(2, 1_000));
    let other = SharedLimiter::builder(&others, "later").limit(per(2, 1_000)).instants(Arc::clone(&clock));
    let other = other.build().expect("it has a limit");
    let mut crowd = Line::default();
    for (id, within) in [(0, 5_000), (1, 1_999), (2, 2_000), (3, 2_999), (4, 3_000)] {
        enter(&mut crowd, &clock, id, limiter.acquire_within(&(), ms(within)), id + 1);
    }
    clock.advance(ms(1_000));
    assert!(other.check_n(&(), 2).is_ok());
    // All turns come a second later. Who leaves for that takes none, so that the last one can have its own in time.
    let results = asleep(&mut crowd, &clock, 3);
    let mut retries: Vec<_> = results.into_iter().map(|(id, result)| (id, refusal(result))).collect();
    retries.sort_by_key(|(id, _)| *id);
    let late = |seconds: u64| (Reason::TurnTooLate, Some(ms(seconds * 1_000)));
    assert_eq!(retries, [(1, late(2)), (3, late(2))], "if they came again now, behind the others");
    clock.advance(ms(1_000));
    assert_eq!(ids(&done(&mut crowd, 2)), [0, 2]);
    clock.advance(ms(1_000));
    assert_eq!(ids(&done(&mut crowd, 1)), [4]);
}

pub(crate) fn f71_a_full_line_refuses(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = SharedLimiter::builder(&store, "line").limit(per(2, 1_000)).max_waiters(2);
    let clock = Arc::new(ManualClock::starting_at(1_000_000_000_000));
    let limiter = limiter.instants(Arc::clone(&clock)).build().expect("it has a limit");
    assert_eq!(limiter.max_waiters(), 2);
    // All come before anything is known: two are admitted, two wait, and the others are told so.
    let mut crowd = Line::default();
    let mut results: Vec<_> =
        (0..7).filter_map(|id| Some((id, crowd.enter(id, limiter.acquire(&()))?))).collect();
    results.extend(asleep(&mut crowd, &clock, 1));
    results.sort_by_key(|(id, _)| *id);
    assert_eq!(results.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [0, 1, 4, 5, 6]);
    for (id, result) in results {
        match result {
            Ok(_) => assert!(id < 2),
            Err(refusal) => assert_eq!((refusal.reason(), id >= 4), (Reason::LineFull, true)),
        }
    }
    // Now it is known.
    let asked = store.asked();
    let result = crowd.enter(7, limiter.acquire(&())).expect("it is known at once");
    assert_eq!(refusal(result), (Reason::LineFull, Some(ms(2_000))));
    let result = crowd.enter(8, limiter.acquire(&()).max_waiters(0)).expect("it is known at once");
    assert_eq!(refusal(result).0, Reason::LineFull);
    assert_eq!((store.asked(), limiter.waiting(&()), limiter.waiting("another")), (asked, 2, 0));
    // Another key has a line of its own (F63).
    let result = crowd.enter(9, limiter.acquire("another"));
    assert_eq!(result.map_or_else(|| ids(&done(&mut crowd, 1)), |_| vec![9]), [9]);
}

/// What this process does wakes the first in line, and no time passes (W6).
pub(crate) fn what_brings_a_turn_forward_is_seen_at_once(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let (limiter, clock) = manual(&store, "forward", per(2, 1_000), Algorithm::Exact);
    // Of the same name: it shares the window, and so the line.
    let twin = SharedLimiter::builder(&store, "forward").limit(per(2, 1_000)).instants(Arc::clone(&clock));
    let twin = twin.build().expect("it has a limit");
    let mut crowd = Line::default();
    let permits = [(); 2].map(|()| limiter.try_acquire(&()).expect("there is room"));
    for id in 0..6 {
        let limiter = if id % 2 == 0 { &limiter } else { &twin };
        enter(&mut crowd, &clock, id, limiter.acquire(&()), 1);
    }
    assert_eq!((limiter.waiting(&()), twin.waiting(&())), (6, 6));
    assert_eq!(twin.check(&()).expect_err("others wait").reason(), Reason::OthersWait);
    let [permit, _] = permits;
    permit.refund();
    assert_eq!(ids(&done(&mut crowd, 1)), [0]);
    assert!(asleep(&mut crowd, &clock, 1).is_empty());
    twin.reset(&()).expect("the store answers");
    assert_eq!(ids(&done(&mut crowd, 2)), [1, 2]);
    assert!(asleep(&mut crowd, &clock, 1).is_empty());
    // Those of the twin keep the limit that they have.
    for limiter in [&limiter, &twin] {
        limiter.set_limits([per(4, 1_000)]).expect("it can be kept");
    }
    assert_eq!(ids(&done(&mut crowd, 2)), [3, 4]);
    assert!(asleep(&mut crowd, &clock, 1).is_empty());
    // A call that could never have its turn now is told so.
    let never = crowd.enter(6, limiter.acquire(&()).cost(5)).expect("it is known at once");
    assert_eq!(refusal(never), (Reason::NeverFits, None));
    clock.advance(ms(1_000));
    assert_eq!(ids(&done(&mut crowd, 1)), [5]);
    assert_eq!(limiter.degraded() + twin.degraded(), 0, "{:?}", store.last_error());
}

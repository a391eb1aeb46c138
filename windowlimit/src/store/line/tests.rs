//! A line without a store: what it asks, what it makes of answers, and of those who leave meanwhile.

use std::{
    sync::Arc,
    task::{Wake, Waker},
    time::Duration,
};

use super::{Found, Known, Line, UnderWay};
use crate::{
    algorithm::Algorithm,
    decider::Decider,
    error::Reason,
    limit::Limit,
    line::{Call, Ends, GRACE, Patience, Ticket, Turn},
    store::{error::StoreError, key::KeyText, memory::Memory, refusal::Snapshot},
    sync::unmodelled::{AtomicU64, Ordering},
    usage::Usage,
};

const LIMIT: Limit = Limit::per_second(5);
const SECOND: u64 = 1_000_000_000;

/// How often somebody was woken.
#[derive(Default)]
struct Bell(AtomicU64);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

struct Scene {
    line: Line,
    now: u64,
    bell: Arc<Bell>,
}

impl Scene {
    fn new() -> Self {
        Self {
            line: Line::new("name", b"prefix", Algorithm::Exact),
            now: 1_000 * SECOND,
            bell: Arc::default(),
        }
    }

    fn waker(&self) -> Waker {
        Waker::from(self.bell.clone())
    }

    fn try_join(&mut self, cost: u32, longest: Option<u64>, max_waiters: usize) -> Result<Ticket, Reason> {
        let call = Call { cost, limits: Some([LIMIT].into()) };
        let (now, waker) = (self.now, self.waker());
        let joined = self.line.join(call, 1, Patience { longest, max_waiters }, now, &waker);
        joined.map_err(|refusal| refusal.reason())
    }

    fn join(&mut self, cost: u32) -> Ticket {
        self.try_join(cost, None, usize::MAX).expect("there is no bound")
    }

    fn look(&mut self, ticket: Ticket) -> Found {
        let (now, waker) = (self.now, self.waker());
        self.line.look(ticket, now, &waker)
    }

    /// The first one asks; for so many units.
    fn ask(&mut self, first: Ticket) -> u32 {
        assert!(matches!(self.look(first), Found::Turn));
        let memory = Memory::new(Duration::from_secs(1));
        let about = memory.about(b"prefix", &KeyText::of("key"), &[LIMIT]);
        let question = UnderWay::new([LIMIT].into(), about, memory.moment(self.now), self.now);
        self.line.ask(question, u32::MAX)
    }

    /// An answer comes, and this one looks at it.
    fn answer(&mut self, first: Ticket) -> UnderWay {
        assert!(self.line.hear(Ok(vec![0, 7])).is_ok());
        match self.look(first) {
            Found::Answer(question, Ok(_)) => question,
            _ => panic!("it is the first"),
        }
    }

    /// The store has admitted all that were asked for, and so many are live; as many are to be given back.
    fn admit(&mut self, first: Ticket, live: u32) -> u32 {
        let question = self.answer(first);
        self.line.admit(&question, &[Usage::new(LIMIT, live, SECOND)], 7, first)
    }

    /// The store has refused, for so long.
    fn refuse(&mut self, first: Ticket, wait: u64) {
        let question = self.answer(first);
        if !self.line.release(&question, self.now) {
            let turn = Turn { at: question.at + wait, limit: LIMIT };
            let (cost, limits, decider) = (question.cost(), question.limits, Decider::Store);
            let (until, snapshot, since) = (turn.at, Snapshot::default(), 0);
            let known = Known { turn, until, cost, limits, snapshot, since, decider, without: None };
            self.line.postpone(known, self.now);
        }
    }

    fn left(&mut self, ticket: Ticket) -> u32 {
        match self.look(ticket) {
            Found::Granted(grant) => Usage::tightest(grant.told.iter().copied()).remaining(),
            _ => panic!("it is admitted"),
        }
    }

    fn reason(&mut self, ticket: Ticket) -> Reason {
        match self.look(ticket) {
            Found::Refused(refusal, _) => refusal.reason(),
            _ => panic!("it is refused"),
        }
    }

    fn waits(&mut self, ticket: Ticket) -> Option<u64> {
        match self.look(ticket) {
            Found::Waits(until) => until,
            _ => panic!("it waits"),
        }
    }
}

#[test]
fn l1_the_first_asks_for_as_many_as_there_was_room_for() {
    let mut scene = Scene::new();
    let tickets = [1, 1, 2, 1, 1].map(|cost| scene.join(cost));
    assert_eq!(scene.ask(tickets[0]), 1, "nothing is known yet");
    assert_eq!((scene.waits(tickets[0]), scene.waits(tickets[1])), (None, None), "one question at a time");
    assert_eq!(scene.admit(tickets[0], 2), 0);
    assert_eq!(scene.left(tickets[0]), 3);
    assert_eq!(scene.ask(tickets[1]), 3, "three were left: for the second and the third");
    assert_eq!(scene.admit(tickets[1], 5), 0);
    assert_eq!([scene.left(tickets[1]), scene.left(tickets[2])], [2, 0], "as if one after the other");
    assert_eq!(scene.ask(tickets[3]), 1, "none was left");
    scene.refuse(tickets[3], SECOND);
    assert_eq!(scene.waits(tickets[3]), Some(scene.now + SECOND));
    scene.now += SECOND;
    assert_eq!(scene.ask(tickets[3]), 1);
}

#[test]
fn l1_what_several_were_refused_is_asked_for_the_first_alone() {
    let mut scene = Scene::new();
    let tickets = [1, 1, 1].map(|cost| scene.join(cost));
    scene.ask(tickets[0]);
    scene.admit(tickets[0], 1);
    assert_eq!(scene.ask(tickets[1]), 2);
    // Another process was there.
    scene.refuse(tickets[1], SECOND);
    assert!(!scene.line.is_known_to_wait(), "there may be room for one");
    assert_eq!(scene.ask(tickets[1]), 1);
}

#[test]
fn l1_no_more_is_asked_for_than_can_fit() {
    let mut scene = Scene::new();
    let tickets = [1, 4, 2].map(|cost| scene.join(cost));
    scene.ask(tickets[0]);
    // Of a limit that was lowered meanwhile, more is left than it admits.
    let question = scene.answer(tickets[0]);
    scene.line.admit(&question, &[Usage::new(Limit::per_second(100), 1, SECOND)], 7, tickets[0]);
    assert_eq!(scene.ask(tickets[1]), 4);
}

#[test]
fn l2_who_leaves_while_it_is_asked_for_is_given_back() {
    let mut scene = Scene::new();
    let tickets = [1, 1, 3, 1].map(|cost| scene.join(cost));
    scene.ask(tickets[0]);
    scene.admit(tickets[0], 0);
    assert_eq!(scene.ask(tickets[1]), 5);
    assert!(scene.line.leave(tickets[2]).is_empty());
    assert!(scene.line.leave(tickets[1]).is_empty());
    // The next one has become the first.
    assert_eq!(scene.admit(tickets[3], 5), 4);
    assert_eq!(scene.left(tickets[3]), 0);
    assert_eq!(scene.line.leave(tickets[0]), [(1, 7)], "it was granted, and nobody looked");
    assert!(scene.line.is_over());
}

#[test]
fn l2_an_answer_that_nobody_is_left_to_look_at_is_given_back() {
    let mut scene = Scene::new();
    let ticket = scene.join(2);
    scene.ask(ticket);
    assert!(scene.line.leave(ticket).is_empty(), "nobody knows yet");
    assert!(scene.line.is_over() && scene.line.hear(Ok(vec![0, 7])).is_err(), "whoever has asked is told");

    let mut scene = Scene::new();
    let tickets = [2, 1].map(|cost| scene.join(cost));
    scene.ask(tickets[0]);
    assert!(scene.line.hear(Ok(vec![0, 7])).is_ok());
    assert!(scene.line.leave(tickets[0]).is_empty(), "the other one will see");
    assert_eq!(scene.line.leave(tickets[1]), [(2, 7)]);
    let ticket = scene.join(1);
    assert_eq!(scene.ask(ticket), 1, "nothing is left of it");

    let mut scene = Scene::new();
    let ticket = scene.join(1);
    scene.ask(ticket);
    assert!(scene.line.hear(Err(StoreError::thread("it has ended"))).is_ok());
    assert!(scene.line.leave(ticket).is_empty() && scene.line.is_over());
}

#[test]
fn l3_nobody_is_known_to_wait_before_the_store_has_refused_somebody() {
    let mut scene = Scene::new();
    let small = Call { cost: 1, limits: Some([LIMIT].into()) };
    let tickets = [1, 1].map(|cost| scene.join(cost));
    let bounded = [0, 1, 2, 2, 3].map(|most| scene.try_join(1, None, most).expect("nobody is known to wait"));
    scene.ask(tickets[0]);
    assert!(scene.line.behind(&small, scene.now).is_none());
    scene.admit(tickets[0], 5);
    assert!(scene.line.behind(&small, scene.now).is_none());
    scene.ask(tickets[1]);
    scene.refuse(tickets[1], SECOND);
    // Behind one without a bound there is place for one who allows for two, and behind that for one who allows for three.
    let full = bounded.map(|ticket| matches!(scene.look(ticket), Found::Refused(..)));
    assert_eq!(full, [true, true, false, true, false]);
    let refusal = scene.line.behind(&small, scene.now).expect("they wait");
    assert_eq!((refusal.reason(), refusal.decider()), (Reason::OthersWait, Decider::Process));
    assert_eq!(scene.try_join(1, None, 1), Err(Reason::LineFull));
}

#[test]
fn l3_who_came_after_the_last_refusal_is_not_known_to_wait() {
    let mut scene = Scene::new();
    let first = scene.join(1);
    scene.ask(first);
    scene.refuse(first, SECOND);
    let second = scene.join(1);
    assert!(scene.line.is_known_to_wait());
    scene.now += SECOND;
    scene.ask(first);
    scene.admit(first, 5);
    assert!(scene.line.has_waited(first) && !scene.line.has_waited(second));
    assert!(!scene.line.is_known_to_wait());
}

#[test]
fn l4_turns_come_no_sooner_than_a_window_of_all_others_allows() {
    let mut scene = Scene::new();
    let first = scene.join(5);
    // Even if the window is empty, five of the next fit a second after the first.
    assert_eq!(scene.try_join(1, Some(SECOND - 1), usize::MAX), Err(Reason::TurnTooLate));
    assert!(scene.try_join(5, Some(SECOND * 3 / 2), usize::MAX).is_ok());
    scene.ask(first);
    scene.refuse(first, SECOND / 2);
    assert_eq!(scene.try_join(1, Some(SECOND * 5 / 2 - 1), usize::MAX), Err(Reason::TurnTooLate));
    assert!(scene.try_join(1, Some(SECOND * 5 / 2), usize::MAX).is_ok());
}

#[test]
fn who_is_asked_for_waits_for_the_answer_beyond_its_deadline() {
    for is_admitted in [true, false] {
        let mut scene = Scene::new();
        let tickets = [None, Some(10), Some(10), Some(10)]
            .map(|longest| scene.try_join(1, longest, usize::MAX).expect("there may be room"));
        scene.ask(tickets[0]);
        scene.admit(tickets[0], 3);
        assert_eq!(scene.ask(tickets[1]), 2);
        scene.now += 10;
        assert_eq!(
            scene.waits(tickets[3]),
            Some(scene.now + GRACE),
            "it may have its turn, and waits for the others"
        );
        scene.now += GRACE;
        assert_eq!((scene.waits(tickets[1]), scene.waits(tickets[2])), (None, None));
        assert_eq!(scene.reason(tickets[3]), Reason::TurnTooLate, "nobody asked for this one");
        if is_admitted {
            scene.admit(tickets[1], 5);
            assert_eq!([scene.left(tickets[1]), scene.left(tickets[2])], [1, 0]);
        } else {
            scene.line.take_wakers();
            scene.refuse(tickets[1], SECOND);
            assert_eq!(scene.line.take_wakers().0.len(), 1, "of the one that did not look at the clock");
            assert_eq!(scene.waits(tickets[2]), Some(scene.now + GRACE));
            scene.ask(tickets[1]);
            scene.refuse(tickets[1], SECOND);
            assert_eq!(scene.reason(tickets[1]), Reason::TurnTooLate);
            assert_eq!(scene.reason(tickets[2]), Reason::TurnTooLate);
        }
    }
}

#[test]
fn an_answer_from_before_a_change_is_not_believed() {
    let mut scene = Scene::new();
    let ticket = scene.join(1);
    scene.ask(ticket);
    scene.line.disturb();
    scene.refuse(ticket, SECOND);
    assert_eq!(scene.ask(ticket), 1);
    scene.refuse(ticket, SECOND);
    assert_eq!(scene.waits(ticket), Some(scene.now + SECOND));
    scene.line.disturb();
    assert_eq!(scene.ask(ticket), 1);
}

#[test]
fn what_is_known_of_one_holds_for_the_next_that_takes_as_much() {
    let mut scene = Scene::new();
    let tickets = [2, 3, 2, 1].map(|cost| scene.join(cost));
    scene.ask(tickets[0]);
    scene.refuse(tickets[0], SECOND);
    for ticket in &tickets[1..3] {
        scene.line.leave(tickets[0]);
        assert_eq!(scene.waits(*ticket), Some(scene.now + SECOND));
        scene.line.leave(*ticket);
    }
    assert!(matches!(scene.look(tickets[3]), Found::Turn), "it takes less");
}

#[test]
fn w4_an_answer_wakes_each_who_is_admitted_and_the_next() {
    let mut scene = Scene::new();
    let tickets = [(); 5].map(|()| scene.join(1));
    scene.ask(tickets[0]);
    scene.admit(tickets[0], 2);
    assert_eq!(scene.line.take_wakers().0.len(), 1, "it has looked itself, and the next is to ask");
    assert_eq!(scene.ask(tickets[1]), 3);
    scene.admit(tickets[1], 5);
    assert_eq!(scene.line.take_wakers().0.len(), 3);
}

#[test]
fn limits_that_change_are_those_of_the_limiter_that_changes_them() {
    let mut scene = Scene::new();
    let first = scene.join(1);
    let call = Call { cost: 1, limits: Some([LIMIT].into()) };
    let patience = Patience { longest: None, max_waiters: usize::MAX };
    let (now, waker) = (scene.now, scene.waker());
    let other = scene.line.join(call, 2, patience, now, &waker).expect("there is no bound");
    let third = scene.join(1);
    let lower = Limit::per_second(1);
    scene.line.change_limits(1, &[lower]);
    let limits: Vec<_> =
        scene.line.queue.calls().map(|(ticket, call)| (ticket, call.limits.clone())).collect();
    let one = |limit: Limit| Some(Box::from([limit]));
    assert_eq!(limits, [(first, one(lower)), (other, one(LIMIT)), (third, one(lower))]);
}

#[test]
fn a_departure_wakes_the_next_and_nobody_else() {
    let mut scene = Scene::new();
    let tickets = [1, 1, 1].map(|cost| scene.join(cost));
    let woken = |scene: &mut Scene| scene.line.take_wakers().0.len();
    assert_eq!(woken(&mut scene), 0);
    scene.line.leave(tickets[1]);
    assert_eq!(woken(&mut scene), 0);
    scene.line.leave(tickets[0]);
    assert_eq!(woken(&mut scene), 1);
}

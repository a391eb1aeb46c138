//! What a line costs, and what it knows when it is long.

use std::{sync::Arc, task::Waker};

use super::{Call, Queue, Waiter};
use crate::{
    limit::Limit,
    line::{Foresee, Turn},
    sync::unmodelled::{AtomicU64, Ordering},
};

/// One turn every ten nanoseconds, and how often anybody asked for one.
struct Counted(Arc<AtomicU64>, u64);

impl Foresee for Counted {
    fn turn(&mut self, _: &Call, now: u64) -> Option<Turn> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Some(Turn { at: now.max(self.1 + 10), limit: Limit::per_second(1) })
    }

    fn enter(&mut self, _: &Call, at: u64) {
        self.1 = at;
    }
}

/// Turns come late, some leave, some join and some only ask, all the time: and each time all that is foreseen is a little
/// wrong. It must not be foreseen anew for each of them.
#[test]
fn a_long_line_is_not_looked_through_for_each_call() {
    const LINE: u64 = 5_000;
    let asked = Arc::new(AtomicU64::new(0));
    let copy = |_| -> Box<dyn Foresee> { Box::new(Counted(asked.clone(), 0)) };
    let mut queue = Queue::new();
    let mut now = 1;
    let join = |queue: &mut Queue, now: u64| {
        let call = Call { cost: 1, limits: None };
        let turn = Some(queue.turn_of_next(now, &call, false, copy).at);
        let waker = Waker::noop().clone();
        queue.join(Waiter { call, waker, deadline: u64::MAX, grace_until: None, turn })
    };
    let tickets: Vec<_> = (0..LINE).map(|_| join(&mut queue, now)).collect();
    for ticket in tickets.iter().skip(1).step_by(2) {
        now += 13;
        queue.leave(*ticket);
        queue.be_served(now);
        join(&mut queue, now + 1);
        join(&mut queue, now + 2);
    }
    let events = 4 * LINE;
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked <= 4 * events, "{asked} steps for {events} calls");
    assert!(asked >= LINE, "{asked}");
}

/// Turns came late, and one that was foreseen in time may not be: whoever joins has to know.
#[test]
fn a_turn_near_the_deadline_is_foreseen_anew_in_a_long_line() {
    let copy = |_| -> Box<dyn Foresee> { Box::new(Counted(Arc::default(), 0)) };
    let mut queue = Queue::new();
    for _ in 0..1_000 {
        let call = Call { cost: 1, limits: None };
        let turn = Some(queue.turn_of_next(1, &call, false, copy).at);
        let waker = Waker::noop().clone();
        queue.join(Waiter { call, waker, deadline: u64::MAX, grace_until: None, turn });
    }
    assert!(!queue.is_in_doubt(1, 10_010, 10_010), "nothing has happened");
    queue.be_served(14);
    let turn = queue.turn_of_next(14, &Call { cost: 1, limits: None }, false, copy).at;
    assert!(queue.is_in_doubt(14, turn, turn) && queue.is_in_doubt(14, turn, turn + 12));
    assert!(!queue.is_in_doubt(14, turn, turn + 13), "it is not later than that");
}

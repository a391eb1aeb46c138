//! Where one waits: a window and the line in front of it.

use std::task::Waker;

use super::{
    Call, Foresee, Queue, Turn,
    queue::{Gone, Ticket, Waiter},
};
#[cfg(not(windowlimit_loom))]
use crate::keyed::{Digest, KeyedLimiter};
use crate::{
    clock::{Clock, instant},
    error::RateLimitExceeded,
    lasting::{Together, lasting},
    limiter::Limiter,
    others::Others,
    permit::Permit,
    usage::Usage,
    window::timeline::Admitted,
};

/// How long a call that has its turn at its deadline may still wait for those before it to take theirs, in nanoseconds. They
/// were woken at the same instant, and come as soon as they are polled; but one that is not must not hold it up for ever.
pub(crate) const GRACE: u64 = 100_000_000;

/// The window of a limiter or of a key.
pub(crate) enum Place<'l, C> {
    Limiter(&'l Limiter<C>),
    #[cfg(not(windowlimit_loom))]
    Key(&'l KeyedLimiter<C>, Digest),
}

/// How long a call would wait, and behind how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// In nanoseconds, if there is a bound.
    pub(crate) longest: Option<u64>,
    pub(crate) max_waiters: usize,
}

/// What came of a step.
pub(crate) enum Step {
    Admitted(Admitted),
    Refused(RateLimitExceeded),
    /// There is nothing to do before this instant, or before it is woken.
    Waits(Ticket, Option<u64>),
}

impl<C: Clock> Place<'_, C> {
    /// Comes to the window: is admitted or refused at once, or stands in line.
    pub(crate) fn join(&self, call: &Call, patience: Patience, waker: &Waker) -> Step {
        self.with_queue(|queue| (self.join_in(queue, call, patience, waker), None))
    }

    fn join_in(&self, queue: &mut Queue, call: &Call, patience: Patience, waker: &Waker) -> Step {
        let Patience { longest, max_waiters } = patience;
        // Before the decision, so that no turn is late by what passes between the two.
        let now = instant(self.clock());
        let deadline = longest.map_or(u64::MAX, |longest| now.saturating_add(longest));
        let is_first = queue.is_empty();
        let turn = if is_first {
            let refusal = match self.decide(call) {
                Ok(admitted) => return Step::Admitted(admitted),
                Err(refusal) => refusal,
            };
            match turn_of(&refusal, now) {
                Some(turn) => Some(turn),
                None => return Step::Refused(refusal),
            }
        } else if let Err(refusal) = self.examine(call) {
            return Step::Refused(refusal);
        } else if longest.is_some() || queue.len() >= max_waiters || queue.is_foreseen() {
            Some(queue.turn_behind(now, call, deadline, |units| self.foresee(units)))
        } else {
            None
        };
        if let Some(turn) = turn {
            if queue.len() >= max_waiters {
                let refusal = RateLimitExceeded::line_full(self.name(), turn, now, max_waiters);
                return Step::Refused(self.among(refusal, call));
            }
            if turn.at > deadline {
                let refusal = RateLimitExceeded::turn_too_late(self.name(), turn, now);
                return Step::Refused(self.among(refusal, call));
            }
        }
        let turn = turn.map(|turn| turn.at);
        let waiter = Waiter { call: call.clone(), waker: waker.clone(), deadline, grace_until: None, turn };
        let until = if is_first { turn } else { waiter.alarm() };
        Step::Waits(queue.join(waiter), until)
    }

    /// Takes the turn, if it has come.
    pub(crate) fn step(&self, ticket: Ticket, waker: &Waker) -> Step {
        self.with_queue(|queue| self.step_in(queue, ticket, waker))
    }

    fn step_in(&self, queue: &mut Queue, ticket: Ticket, waker: &Waker) -> (Step, Option<Waker>) {
        let Some(first) = queue.first(ticket) else {
            return (self.wait_in(queue, ticket, waker), None);
        };
        // Before the decision, as in `join_in`.
        let now = instant(self.clock());
        let refusal = match self.decide(&first.call) {
            Ok(admitted) => return (Step::Admitted(admitted), queue.be_served(admitted.receipt.at)),
            Err(refusal) => refusal,
        };
        let refusal = match turn_of(&refusal, now) {
            None => refusal,
            Some(turn) if turn.at > first.deadline => {
                let refusal = RateLimitExceeded::turn_too_late(self.name(), turn, now);
                self.among(refusal, &first.call)
            }
            Some(turn) => {
                queue.stay(ticket, waker);
                return (Step::Waits(ticket, Some(turn.at)), None);
            }
        };
        (Step::Refused(refusal), queue.leave(ticket))
    }

    /// Goes on waiting behind others, or gives up at the deadline (W8).
    fn wait_in(&self, queue: &mut Queue, ticket: Ticket, waker: &Waker) -> Step {
        queue.stay(ticket, waker);
        let mut until = None;
        if let Some(waiter) = queue.waiter(ticket).filter(|waiter| waiter.alarm().is_some()) {
            let now = instant(self.clock());
            if now >= waiter.deadline {
                waiter.grace_until.get_or_insert(now.saturating_add(GRACE));
            }
            until = waiter.alarm();
            if now >= waiter.deadline && !queue.has_turn(ticket, now) {
                queue.expire(ticket, now, |units| self.foresee(units));
            }
        }
        let Some(Gone { call, turn }) = queue.take_gone(ticket) else {
            return Step::Waits(ticket, until);
        };
        let too_late = |turn| {
            let refusal = RateLimitExceeded::turn_too_late(self.name(), turn, instant(self.clock()));
            self.among(refusal, &call)
        };
        Step::Refused(match (turn, self.examine(&call)) {
            (None, Err(refusal)) => refusal,
            (turn, _) => too_late(turn.unwrap_or(Turn::NEVER)),
        })
    }
}

impl<'l, C> Place<'l, C> {
    /// Leaves the line.
    pub(crate) fn leave(&self, ticket: Ticket) {
        self.with_queue(|queue| ((), queue.leave(ticket)));
    }

    /// Looks at the line, under its lock; then wakes who is to be woken.
    fn with_queue<R>(&self, look: impl FnOnce(&mut Queue) -> (R, Option<Waker>)) -> R {
        let look = |queue: &mut Queue| (look(queue), queue.take_retired());
        let ((result, woken), retired) = match self {
            Self::Limiter(limiter) => limiter.with_queue(look),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => limiter.with_queue(*key, look),
        };
        // Not under the lock: what a waker does, or what goes with one, is not ours to know.
        drop(retired);
        if let Some(waker) = woken {
            waker.wake();
        }
        result
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Limiter(limiter) => limiter.static_name(),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, _) => limiter.static_name(),
        }
    }

    pub(crate) fn clock(&self) -> &'l C {
        match self {
            Self::Limiter(limiter) => limiter.clock(),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, _) => limiter.clock(),
        }
    }
}

impl<'l, C: Clock> Place<'l, C> {
    /// Decides on a call, whoever waits.
    fn decide(&self, call: &Call) -> Result<Admitted, RateLimitExceeded> {
        match self {
            Self::Limiter(limiter) => limiter.decide(call),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => limiter.decide(*key, call),
        }
    }

    /// Whether a call can ever be admitted.
    fn examine(&self, call: &Call) -> Result<(), RateLimitExceeded> {
        match self {
            Self::Limiter(limiter) => limiter.examine(call),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, _) => limiter.examine(call),
        }
    }

    /// The same refusal, by all limits that the call is decided by, as they are while it is turned away.
    fn among(&self, refusal: RateLimitExceeded, call: &Call) -> RateLimitExceeded {
        let (Some(together), Some((named, _))) = (self.together(call), refusal.room_again()) else {
            return refusal;
        };
        let usages = self.usages(call);
        // They are read one after the other: what was changed between is not told.
        let are_same = usages.iter().map(Usage::tightest_limit).eq(together);
        let others = if are_same { Others::of(&named, 0, usages) } else { Others::untold(&named, 0) };
        refusal.among(Some(together), others)
    }

    /// The state of each limit.
    #[cfg_attr(windowlimit_loom, allow(unused_variables))] // only a call of a key has limits of its own
    fn usages(&self, call: &Call) -> Vec<Usage> {
        match self {
            Self::Limiter(limiter) => limiter.usages(),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => limiter.usages(*key, call),
        }
    }

    /// All limits that a call is decided by, if they are several and last.
    fn together(&self, call: &Call) -> Together {
        match (&call.limits, self) {
            (Some(limits), _) => lasting(limits),
            (None, Self::Limiter(limiter)) => limiter.together(),
            #[cfg(not(windowlimit_loom))]
            (None, Self::Key(limiter, _)) => limiter.together(),
        }
    }

    /// A copy of the window, for turns of so many units.
    fn foresee(&self, units: u64) -> Box<dyn Foresee> {
        match self {
            Self::Limiter(limiter) => limiter.foresee(units),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => limiter.foresee(*key, units),
        }
    }

    pub(crate) fn permit(&self, admitted: Admitted) -> Permit<'l, C> {
        match *self {
            Self::Limiter(limiter) => Permit::new(limiter, admitted),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => Permit::of_key(limiter, key, admitted),
        }
    }

    /// Why a call that does not wait is refused, if somebody does.
    pub(crate) fn behind_line(&self, call: &Call) -> Option<RateLimitExceeded> {
        self.with_queue(|queue| {
            if queue.is_empty() {
                return (None, None);
            }
            let refusal = self.examine(call).err().unwrap_or_else(|| {
                let now = instant(self.clock());
                let turn = queue.turn_of_next(now, call, false, |units| self.foresee(units));
                self.among(RateLimitExceeded::others_wait(self.name(), turn, now), call)
            });
            (Some(refusal), None)
        })
    }

    /// The window was changed in a way that may bring turns forward.
    pub(crate) fn disturb(&self) {
        self.with_queue(|queue| ((), queue.disturb()));
    }
}

/// The turn that a refusal promises, if it promises one.
fn turn_of(refusal: &RateLimitExceeded, now: u64) -> Option<Turn> {
    let (limit, retry_after) = refusal.room_again()?;
    Some(Turn { at: now.saturating_add(retry_after), limit })
}

//! Where one waits: a window and the line in front of it.

use std::task::Waker;

use super::{Call, Foresee, Queue, Turn, queue::Ticket};
#[cfg(not(windowlimit_loom))]
use crate::keyed::{Digest, KeyedLimiter};
use crate::{
    clock::{Clock, instant},
    error::RateLimitExceeded,
    limiter::Limiter,
    permit::Permit,
    window::timeline::Admitted,
};

/// How long a call that has its turn at its deadline may still wait for those before it to take theirs, in nanoseconds. They
/// were woken at the same instant, and come as soon as they are polled; but one that is not must not hold it up for ever.
const GRACE: u64 = 100_000_000;

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
    pub(crate) most: usize,
}

/// What came of a step.
pub(crate) enum Step {
    Admitted(Admitted),
    Refused(RateLimitExceeded),
    /// There is nothing to do before this instant, or before it is woken.
    Waits(Seat, Option<u64>),
}

/// A place in line, until an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    ticket: Ticket,
    /// At the end of time if there is none.
    deadline: u64,
    /// Until when it waits for those before it, once its deadline is over; until then, 0.
    last: u64,
}

impl Seat {
    /// When it has to be looked at, if nothing happens before.
    fn alarm(self) -> Option<u64> {
        let alarm = self.deadline.max(self.last);
        (alarm < u64::MAX).then_some(alarm)
    }
}

impl<C: Clock> Place<'_, C> {
    /// Comes to the window: is admitted or refused at once, or stands in line.
    pub(crate) fn join(&self, call: &Call, patience: Patience, waker: &Waker) -> Step {
        self.with_queue(|queue| (self.join_in(queue, call, patience, waker), None))
    }

    fn join_in(&self, queue: &mut Queue, call: &Call, patience: Patience, waker: &Waker) -> Step {
        let mut until = None;
        let mut turn = None;
        let mut now = 0;
        if queue.is_empty() {
            match self.decide(call) {
                Ok(admitted) => return Step::Admitted(admitted),
                Err(refusal) => {
                    now = instant(self.clock());
                    let Some(next) = turn_of(&refusal, now) else { return Step::Refused(refusal) };
                    until = Some(next.at);
                    turn = Some(next);
                }
            }
        } else if let Err(refusal) = self.examine(call) {
            return Step::Refused(refusal);
        } else if patience.longest.is_some() || queue.len() >= patience.most {
            now = instant(self.clock());
            turn = Some(queue.turn_of_next(now, call, |units| self.foresee(units)));
        }
        let deadline = patience.longest.map_or(u64::MAX, |longest| now.saturating_add(longest));
        if let Some(turn) = turn {
            if queue.len() >= patience.most {
                return Step::Refused(RateLimitExceeded::line_full(self.name(), turn, now, queue.len()));
            }
            if turn.at > deadline {
                return Step::Refused(RateLimitExceeded::turn_too_late(self.name(), turn, now));
            }
        }
        let ticket = queue.join(call.clone(), turn, waker);
        if let Some(until) = until {
            queue.full_until(until);
        }
        let seat = Seat { ticket, deadline, last: 0 };
        Step::Waits(seat, until.or(seat.alarm()))
    }

    /// Takes the turn, if it has come.
    pub(crate) fn step(&self, seat: Seat, waker: &Waker) -> Step {
        self.with_queue(|queue| self.step_in(queue, seat, waker))
    }

    fn step_in(&self, queue: &mut Queue, seat: Seat, waker: &Waker) -> (Step, Option<Waker>) {
        let Some(call) = queue.call_of_first(seat.ticket) else {
            return (self.wait_in(queue, seat, waker), None);
        };
        let refusal = match self.decide(call) {
            Ok(admitted) => return (Step::Admitted(admitted), queue.pass(admitted.receipt.at)),
            Err(refusal) => refusal,
        };
        let now = instant(self.clock());
        let refusal = match turn_of(&refusal, now) {
            None => refusal,
            Some(turn) if turn.at > seat.deadline => RateLimitExceeded::turn_too_late(self.name(), turn, now),
            Some(turn) => {
                queue.full_until(turn.at);
                queue.stay(seat.ticket, waker);
                return (Step::Waits(seat, Some(turn.at)), None);
            }
        };
        (Step::Refused(refusal), queue.leave(seat.ticket).1)
    }

    /// Goes on waiting behind others, or gives up at the deadline.
    fn wait_in(&self, queue: &mut Queue, mut seat: Seat, waker: &Waker) -> Step {
        if seat.deadline < u64::MAX {
            let now = instant(self.clock());
            if now >= seat.deadline {
                if seat.last == 0 {
                    seat.last = now.saturating_add(GRACE);
                }
                let is_due = now < seat.last && queue.is_due(now);
                let has_turn = is_due
                    && queue
                        .turn_of(now, seat.ticket, |units| self.foresee(units))
                        .is_none_or(|turn| turn <= now);
                if !has_turn {
                    return self.give_up(queue, seat.ticket, now);
                }
            }
        }
        queue.stay(seat.ticket, waker);
        Step::Waits(seat, seat.alarm())
    }

    /// Leaves the line, not as the first: the deadline is over.
    fn give_up(&self, queue: &mut Queue, ticket: Ticket, now: u64) -> Step {
        let (call, _) = queue.leave(ticket);
        let turn =
            call.map_or(Turn::NEVER, |call| queue.turn_of_next(now, &call, |units| self.foresee(units)));
        Step::Refused(RateLimitExceeded::turn_too_late(self.name(), turn, now))
    }
}

impl<'l, C> Place<'l, C> {
    /// Leaves the line.
    pub(crate) fn leave(&self, seat: Seat) {
        self.with_queue(|queue| ((), queue.leave(seat.ticket).1));
    }

    /// Looks at the line, under its lock; then wakes who is to be woken.
    fn with_queue<R>(&self, look: impl FnOnce(&mut Queue) -> (R, Option<Waker>)) -> R {
        let (result, woken) = match self {
            Self::Limiter(limiter) => limiter.with_queue(look),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => limiter.with_queue(*key, look),
        };
        // Not under the lock: what a waker does is not ours to know.
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

    /// A copy of the window, for turns of so many units.
    fn foresee(&self, units: u64) -> Box<dyn Foresee> {
        match self {
            Self::Limiter(limiter) => limiter.foresee(units),
            #[cfg(not(windowlimit_loom))]
            Self::Key(limiter, key) => limiter.foresee(*key),
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
                let turn = queue.turn_of_next(now, call, |units| self.foresee(units));
                RateLimitExceeded::others_wait(self.name(), turn, now)
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

//! The line in front of one window that is shared: who waits for it in this process, what was asked for them, and what they
//! do not know yet. Everything here happens under its lock, and nothing here asks.
//!
//! It is the line of a window of this process (see [`line`](crate::line), W1 to W8), but for what cannot be known here: the
//! first has to ask for its turn, which takes a while, and what other processes take is found out by asking.
//!
//! * **L1, one asks.** The first in line asks, for itself and, as far as there was room by the last answer, for those behind
//!   it. There is one question at a time, and the answer is the line's: whoever is the first when it comes looks at it.
//! * **L2, nothing is lost.** What was admitted for one who has left meanwhile is given back, and the next is woken.
//! * **L3, known to wait.** Calls stand in line while they are asked about, also where there is room. Only when the store has
//!   refused one of them, those in line are known to wait: then a call that does not is refused (W2), and bounds on the line
//!   apply, also to those who came while nobody knew.
//! * **L4, foresight.** Turns are foreseen as if the window were empty when the first has its turn. None comes sooner, so
//!   whoever is refused for it would have been in vain; it may come later, which is found out by asking.

mod asking;
mod known;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, task::Waker};

pub(super) use self::known::{Grant, Known, UnderWay};
use self::{
    asking::ASKED_FOR,
    known::{Caller, NotBefore},
};
use super::{error::StoreError, io::Answer};
use crate::{
    algorithm::Algorithm,
    error::RateLimitExceeded,
    lasting::lasting,
    limit::Limit,
    line::{Call, Ends, Forecast, Foresee, GRACE, Patience, Queue, Ticket, Turn, Waiter},
    others::Others,
};

pub(super) struct Line {
    pub(super) name: &'static str,
    /// Of the keys of that name.
    pub(super) prefix: Box<[u8]>,
    algorithm: Algorithm,
    queue: Queue,
    /// Why the first sleeps, if it has a reason to.
    known: Option<Known>,
    under_way: Option<UnderWay>,
    /// What nobody has looked at.
    answer: Option<Answer>,
    /// What those do not know who are not in line any more.
    granted: BTreeMap<Ticket, Grant>,
    refused: BTreeMap<Ticket, RateLimitExceeded>,
    /// What the queue does not keep of those in line.
    callers: BTreeMap<Ticket, Caller>,
    /// Whether one of them has a bound.
    has_bounds: bool,
    /// Whether anybody ever joined it who would not wait for ever.
    has_deadlines: bool,
    /// Those up to this one were in line when the store refused one of them.
    waits_up_to: Option<Ticket>,
    /// How many units were left by the last answer.
    room: u64,
    is_closed: bool,
    /// To be woken where the line is not locked.
    woken: Vec<Waker>,
}

/// What a call in line finds.
pub(super) enum Found {
    Granted(Grant),
    /// With the reason, if a stand-in of the store has refused it.
    Refused(RateLimitExceeded, Option<StoreError>),
    /// It is the first, and this has come.
    Answer(UnderWay, Answer),
    /// It is the first, and has to ask.
    Turn,
    /// There is nothing to do before this instant, or before it is woken.
    Waits(Option<u64>),
}

impl Line {
    pub(super) fn new(name: &'static str, prefix: &[u8], algorithm: Algorithm) -> Self {
        Self {
            name,
            prefix: prefix.into(),
            algorithm,
            queue: Queue::new(),
            known: None,
            under_way: None,
            answer: None,
            granted: BTreeMap::new(),
            refused: BTreeMap::new(),
            callers: BTreeMap::new(),
            has_bounds: false,
            has_deadlines: false,
            waits_up_to: None,
            room: 0,
            is_closed: false,
            woken: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    /// Those who are to be woken, and what is to be dropped, both where the line is not locked.
    pub(super) fn take_wakers(&mut self) -> (Vec<Waker>, Vec<Waker>) {
        (std::mem::take(&mut self.woken), self.queue.take_retired())
    }

    /// Whether somebody in line is known to wait (L3).
    fn is_known_to_wait(&self) -> bool {
        self.queue.first_ticket().is_some_and(|first| self.has_waited(first))
    }

    pub(super) fn has_waited(&self, ticket: Ticket) -> bool {
        Some(ticket) <= self.waits_up_to
    }

    /// The earliest turns that there can be (L4).
    fn foresight(&self, now: u64) -> impl Fn(u64) -> Box<dyn Foresee> + use<> {
        let from = self.known.as_ref().map_or(now, |known| known.turn.at.max(now));
        let is_fixed = self.algorithm == Algorithm::Fixed;
        move |_| if is_fixed { Box::new(NotBefore(from)) } else { Box::new(Forecast::not_before(from)) }
    }

    fn turn_behind(&mut self, call: &Call, now: u64) -> Turn {
        let foresight = self.foresight(now);
        self.queue.turn_of_next(now, call, false, foresight)
    }

    /// Stands in line, unless that is known to be in vain. The limiter is one whose limits may change.
    pub(super) fn join(
        &mut self,
        call: Call,
        limiter: usize,
        patience: Patience,
        now: u64,
        waker: &Waker,
    ) -> Result<Ticket, RateLimitExceeded> {
        let Patience { longest, max_waiters } = patience;
        let deadline = longest.map_or(u64::MAX, |longest| now.saturating_add(longest));
        let is_known = self.is_known_to_wait();
        let is_full = is_known && self.queue.len() >= max_waiters;
        let mut turn = None;
        self.has_deadlines |= longest.is_some();
        if !self.queue.is_empty() && (is_full || longest.is_some() || self.queue.is_foreseen()) {
            let foresight = self.foresight(now);
            let foreseen = self.queue.turn_behind(now, &call, deadline, foresight);
            if is_full {
                let refusal = RateLimitExceeded::line_full(self.name, foreseen, now, max_waiters);
                return Err(self.among(refusal, &call, now));
            }
            if foreseen.at > deadline {
                return Err(self.among(
                    RateLimitExceeded::turn_too_late(self.name, foreseen, now),
                    &call,
                    now,
                ));
            }
            turn = Some(foreseen.at);
        }
        let waker = waker.clone();
        let ticket = self.queue.join(Waiter { call, waker, deadline, grace_until: None, turn });
        // Where somebody is known to wait, it has been looked at.
        let bound = if is_known { usize::MAX } else { max_waiters };
        self.has_bounds |= bound < usize::MAX;
        self.callers.insert(ticket, Caller { limiter, bound });
        Ok(ticket)
    }

    /// What there is for a call in line.
    pub(super) fn look(&mut self, ticket: Ticket, now: u64, waker: &Waker) -> Found {
        if let Some(grant) = self.granted.remove(&ticket) {
            return Found::Granted(grant);
        }
        if let Some(refusal) = self.refused.remove(&ticket) {
            return Found::Refused(refusal, None);
        }
        self.queue.stay(ticket, waker);
        let Some(first) = self.queue.first(ticket) else {
            return self.look_behind(ticket, now);
        };
        match (self.under_way.take(), self.answer.take()) {
            (Some(under_way), Some(answer)) => return Found::Answer(under_way, answer),
            (Some(under_way), None) => {
                self.under_way = Some(under_way);
                return Found::Waits(None);
            }
            (None, _) => {}
        }
        // What was known of another call may not hold for this one.
        self.known = self.known.take().filter(|known| known.holds_for(&first.call));
        let Some(known) = &self.known else { return Found::Turn };
        if known.turn.at > first.deadline {
            let refusal = RateLimitExceeded::turn_too_late(self.name, known.turn, now);
            let refusal = self.among(refusal, &first.call, now).decided_by(known.decider);
            let why = known.without.as_ref().map(|(why, _)| why.clone());
            self.take_out(ticket);
            return Found::Refused(refusal, why);
        }
        let look_at = known.without.as_ref().map_or(u64::MAX, |(_, look_at)| *look_at);
        let until = known.until.min(first.deadline).min(look_at);
        if now < until { Found::Waits(Some(until)) } else { Found::Turn }
    }

    /// What there is for one that is not the first, or not in line any more (W8).
    fn look_behind(&mut self, ticket: Ticket, now: u64) -> Found {
        let mut until = None;
        if let Some(waiter) = self.queue.waiter(ticket) {
            if now < waiter.deadline {
                return Found::Waits(Some(waiter.deadline).filter(|&deadline| deadline < u64::MAX));
            }
            if waiter.grace_until == ASKED_FOR {
                return Found::Waits(None);
            }
            until = Some(*waiter.grace_until.get_or_insert(now.saturating_add(GRACE)));
            if !self.queue.has_turn(ticket, now) {
                let foresight = self.foresight(now);
                self.queue.expire(ticket, now, foresight);
            }
        }
        let Some(gone) = self.queue.take_gone(ticket) else { return Found::Waits(until) };
        self.callers.remove(&ticket);
        let turn = gone.turn.unwrap_or(Turn::NEVER);
        let refusal = RateLimitExceeded::turn_too_late(self.name, turn, now);
        Found::Refused(self.among(refusal, &gone.call, now), None)
    }

    /// The same refusal, by all limits of the call, as they are by what is known.
    fn among(&self, refusal: RateLimitExceeded, call: &Call, now: u64) -> RateLimitExceeded {
        let (Some(limits), Some((named, _))) = (call.limits.as_deref(), refusal.room_again()) else {
            return refusal;
        };
        let others = match self.known.as_ref().filter(|known| *known.limits == *limits) {
            Some(known) => known.snapshot.later(now.saturating_sub(known.since)).others(&named, 0),
            None => Others::untold(&named, 0),
        };
        refusal.among(lasting(limits), others)
    }

    /// Tells one who is not in line any more.
    fn refuse(&mut self, ticket: Ticket, waiter: Waiter, refusal: RateLimitExceeded, now: u64) {
        self.callers.remove(&ticket);
        self.refused.insert(ticket, self.among(refusal, &waiter.call, now));
        self.woken.push(waiter.waker);
    }

    /// Takes one out of the line; if it was the first, the next is woken.
    pub(super) fn take_out(&mut self, ticket: Ticket) -> Option<Waiter> {
        let was_first = self.queue.first_ticket() == Some(ticket);
        let waiter = self.queue.take(ticket)?;
        self.callers.remove(&ticket);
        if was_first {
            self.wake_first();
        }
        Some(waiter)
    }

    fn wake_first(&mut self) {
        self.woken.extend(self.queue.first_waker());
    }

    /// One leaves who will not look any more. What was admitted, at which instant, and is to be given back (L2).
    pub(super) fn leave(&mut self, ticket: Ticket) -> Vec<(u32, i64)> {
        self.take_out(ticket);
        self.queue.take_gone(ticket);
        self.callers.remove(&ticket);
        self.refused.remove(&ticket);
        let mut admitted = Vec::new();
        if let Some(grant) = self.granted.remove(&ticket) {
            admitted.push((grant.cost, grant.at));
        }
        // Otherwise the next looks at it.
        let answer = if self.queue.is_empty() { self.answer.take() } else { None };
        if let Some(answer) = answer {
            let cost = self.under_way.take().map_or(0, |question| question.cost());
            if let Ok([0, at, ..]) = answer.as_deref() {
                admitted.push((cost, *at));
            }
        }
        admitted
    }

    /// The window was changed in a way that may bring turns forward.
    pub(super) fn disturb(&mut self) {
        self.known = None;
        if let Some(question) = &mut self.under_way {
            question.is_disturbed = true;
        }
        self.woken.extend(self.queue.disturb());
    }

    /// The limits of a limiter are these now, for its calls that have none of their own.
    pub(super) fn change_limits(&mut self, limiter: usize, new: &[Limit]) {
        for (ticket, call) in self.queue.calls_mut() {
            if self.callers.get(&ticket).is_some_and(|caller| caller.limiter == limiter) {
                call.limits = Some(new.into());
            }
        }
        self.disturb();
    }

    /// Why a call that does not wait is refused, if somebody is known to.
    pub(super) fn behind(&mut self, call: &Call, now: u64) -> Option<RateLimitExceeded> {
        if !self.is_known_to_wait() {
            return None;
        }
        let turn = self.turn_behind(call, now);
        Some(self.among(RateLimitExceeded::others_wait(self.name, turn, now), call, now))
    }
}

impl Ends for Line {
    fn is_over(&self) -> bool {
        self.queue.is_over() && self.granted.is_empty() && self.refused.is_empty()
    }

    fn close(&mut self) {
        self.is_closed = true;
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }
}

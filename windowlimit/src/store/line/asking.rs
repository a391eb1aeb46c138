//! Asking for those in line, and what comes of it.

use std::task::Waker;

use super::{Grant, Known, Line, UnderWay};
use crate::{error::RateLimitExceeded, limit::Limit, line::Ticket, store::io::Answer, usage::Usage};

/// So many calls are asked for at once, at most: what a lost answer may cost has an end.
const MOST_CALLS: usize = 256;

/// One who is asked for stays in line until there is an answer, whatever its deadline.
pub(super) const ASKED_FOR: Option<u64> = Some(u64::MAX);

impl Line {
    /// Asks for the first in line, and for those behind it for whom there may be room (L1): for how many units.
    pub(crate) fn ask(&mut self, mut question: UnderWay, most: u32) -> u32 {
        let most = question.limits.iter().map(Limit::max).min().unwrap_or(0).min(most);
        let room = self.room.min(u64::from(most));
        let mut cost = 0;
        for (ticket, call) in self.queue.calls().take(MOST_CALLS) {
            cost += u64::from(call.cost);
            let is_like_first = call.limits.as_ref() == Some(&question.limits);
            if !question.calls.is_empty() && (cost > room || !is_like_first) {
                break;
            }
            question.calls.push((ticket, call.cost));
        }
        for (ticket, _) in &question.calls {
            if let Some(waiter) = self.queue.waiter(*ticket) {
                waiter.grace_until = ASKED_FOR;
            }
        }
        // If others have taken it, the next question is about the first alone.
        self.room = 0;
        self.known = None;
        let cost = question.cost();
        self.under_way = Some(question);
        cost
    }

    /// These are the limits of a call in line, if they were others.
    pub(crate) fn renew(&mut self, ticket: Ticket, limits: &[Limit]) {
        if let Some(waiter) = self.queue.waiter(ticket) {
            if waiter.call.limits.as_deref() != Some(limits) {
                waiter.call.limits = Some(limits.into());
            }
        }
    }

    /// An answer has come. Who is to be woken for it; or the answer, if nobody is left whom it concerns.
    pub(crate) fn hear(&mut self, answer: Answer) -> Result<Option<Waker>, Answer> {
        if self.queue.is_empty() {
            self.under_way = None;
            return Err(answer);
        }
        self.answer = Some(answer);
        Ok(self.queue.first_waker())
    }

    /// All who were asked for are admitted. As many units are to be given back as nobody is there to take. (The one who looks
    /// at the answer need not be woken.)
    pub(crate) fn admit(&mut self, question: &UnderWay, told: &[Usage], at: i64, looks: Ticket) -> u32 {
        let (mut lost, mut behind) = (0, question.cost());
        for (ticket, cost) in &question.calls {
            behind -= cost;
            let has_waited = self.has_waited(*ticket);
            if let Some(waiter) = self.queue.take(*ticket) {
                self.callers.remove(ticket);
                // Those behind it took theirs after it.
                let told = told.iter().map(|usage| usage.before(behind)).collect();
                let limits = question.limits.clone();
                self.granted.insert(*ticket, Grant { told, cost: *cost, at, limits, has_waited });
                if *ticket != looks {
                    self.woken.push(waiter.waker);
                }
            } else {
                lost += cost;
            }
        }
        self.known = None;
        self.room = u64::from(Usage::tightest(told.iter().copied()).remaining());
        self.wake_first();
        lost
    }

    /// Nobody who was asked for is admitted. Whether there is nothing to be learned from it but that.
    pub(crate) fn release(&mut self, question: &UnderWay, now: u64) -> bool {
        for (ticket, _) in &question.calls {
            let is_first = self.queue.first_ticket() == Some(*ticket);
            let Some(waiter) = self.queue.waiter(*ticket) else { continue };
            waiter.grace_until = None;
            if now >= waiter.deadline && !is_first {
                // It has not looked at the clock for that.
                self.woken.push(waiter.waker.clone());
            }
        }
        question.is_disturbed || question.calls.len() > 1
    }

    /// The first in line has its turn later.
    pub(crate) fn postpone(&mut self, known: Known, now: u64) {
        let first = self.queue.calls().next();
        if !first.is_some_and(|(_, call)| known.holds_for(call)) {
            return;
        }
        self.known = Some(known);
        self.queue.note_a_change();
        self.apply_bounds(now);
        self.waits_up_to = self.queue.last_ticket();
        if !self.has_deadlines {
            return;
        }
        let foresight = self.foresight(now);
        for (ticket, waiter, turn) in self.queue.take_late(now, foresight) {
            let refusal = RateLimitExceeded::turn_too_late(self.name, turn, now);
            self.refuse(ticket, waiter, refusal, now);
        }
    }

    /// Refuses those who came while nobody was known to wait, and find too many before them now that somebody is.
    fn apply_bounds(&mut self, now: u64) {
        if !std::mem::take(&mut self.has_bounds) {
            return;
        }
        let mut places = 0;
        let mut full = Vec::new();
        for (ticket, _) in self.queue.calls() {
            let caller = self.callers.get_mut(&ticket);
            let most = caller.map_or(usize::MAX, |caller| std::mem::replace(&mut caller.bound, usize::MAX));
            if places >= most {
                full.push((ticket, most));
            } else {
                places += 1;
            }
        }
        for (ticket, most) in full {
            if let Some(waiter) = self.take_out(ticket) {
                let turn = self.turn_behind(&waiter.call, now);
                let refusal = RateLimitExceeded::line_full(self.name, turn, now, most);
                self.refuse(ticket, waiter, refusal, now);
            }
        }
    }
}

//! The line itself: tickets in order, and what is foreseen for them. Everything here happens under its lock.
//!
//! It is a sorted map and no queue of a library, since it has to be read as well: what is foreseen depends on the costs of
//! all who wait, in their order, and those who leave may stand anywhere.

use std::{collections::BTreeMap, fmt, task::Waker};

#[cfg(all(feature = "redis", not(windowlimit_loom)))]
mod asking;
#[cfg(all(test, not(windowlimit_loom)))]
mod tests;

use super::{Foresee, Turn};
use crate::limit::Limit;

/// Up to so many in line are looked ahead for whenever anything has changed.
const SHORT: usize = 64;

/// What a call asks for.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) cost: u32,
    /// The limits that it brings, if it does.
    pub(crate) limits: Option<Box<[Limit]>>,
}

/// Who waits in front of one window.
pub(crate) struct Queue {
    waiting: BTreeMap<Ticket, Waiter>,
    /// Whose deadline was over before they had their turn. They do not know yet.
    gone: BTreeMap<Ticket, Gone>,
    next: u64,
    /// The window after the turn of the last in line, if it is known.
    outlook: Option<Outlook>,
    /// Whether the line was left, or a turn had late, since it was foreseen.
    is_stale: bool,
    /// What has been asked, and has happened, since it was foreseen.
    events: usize,
    /// When it was foreseen.
    looked_at: u64,
    /// Whether nobody may join it any more: another line of the same key is the one that counts.
    is_closed: bool,
    /// Dropped where the line is not locked: what is dropped with a waker is not ours to know.
    retired: Vec<Waker>,
}

struct Outlook {
    forecast: Box<dyn Foresee>,
    /// As many more units can be foreseen.
    units: u64,
}

/// Who is not in line any more.
pub(crate) struct Gone {
    pub(crate) call: Call,
    /// When its turn would have been; `None` if it can never fit.
    pub(crate) turn: Option<Turn>,
}

/// A place in line. The lower ones were there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

pub(crate) struct Waiter {
    pub(crate) call: Call,
    pub(crate) waker: Waker,
    /// At the end of time if there is none.
    pub(crate) deadline: u64,
    /// Until when it waits for those before it, once its deadline is over.
    pub(crate) grace_until: Option<u64>,
    /// When its turn was foreseen, if it was.
    pub(crate) turn: Option<u64>,
}

impl Waiter {
    /// When it has to look again, if nothing happens before.
    pub(crate) fn alarm(&self) -> Option<u64> {
        let alarm = self.grace_until.unwrap_or(self.deadline);
        (alarm < u64::MAX).then_some(alarm)
    }

    /// Whether it leaves instead of having its turn.
    fn is_too_late(&self, turn: Option<u64>, now: u64) -> bool {
        let has_grace = self.grace_until.is_none_or(|until| now < until);
        let waits_for_others = has_grace && turn.is_some_and(|turn| turn <= now);
        now >= self.deadline && !waits_for_others
    }
}

impl Queue {
    pub(crate) const fn new() -> Self {
        Self {
            waiting: BTreeMap::new(),
            gone: BTreeMap::new(),
            next: 0,
            outlook: None,
            is_stale: false,
            events: 0,
            looked_at: 0,
            is_closed: false,
            retired: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The wakers that are to be dropped.
    pub(crate) fn take_retired(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.retired)
    }

    /// Stands at the end of the line. Its turn is what was last foreseen, if it was.
    pub(crate) fn join(&mut self, waiter: Waiter) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        match (&mut self.outlook, waiter.turn) {
            (Some(outlook), Some(turn)) => {
                outlook.forecast.enter(&waiter.call, turn);
                outlook.units = outlook.units.saturating_sub(u64::from(waiter.call.cost));
            }
            _ => self.outlook = None,
        }
        self.waiting.insert(ticket, waiter);
        ticket
    }

    /// The first in line, if this is the first.
    pub(crate) fn first(&self, ticket: Ticket) -> Option<&Waiter> {
        self.waiting.first_key_value().filter(|(first, _)| **first == ticket).map(|(_, waiter)| waiter)
    }

    pub(crate) fn waiter(&mut self, ticket: Ticket) -> Option<&mut Waiter> {
        self.waiting.get_mut(&ticket)
    }

    /// What is to be told to one whose deadline was over before its turn.
    pub(crate) fn take_gone(&mut self, ticket: Ticket) -> Option<Gone> {
        self.gone.remove(&ticket)
    }

    /// Goes on waiting.
    pub(crate) fn stay(&mut self, ticket: Ticket, waker: &Waker) {
        if let Some(waiter) = self.waiting.get_mut(&ticket) {
            if !waiter.waker.will_wake(waker) {
                self.retired.push(std::mem::replace(&mut waiter.waker, waker.clone()));
            }
        }
    }

    /// Leaves the line, from any place. Who is to be woken: the next, if this was the first.
    pub(crate) fn leave(&mut self, ticket: Ticket) -> Option<Waker> {
        let was_first = self.first(ticket).is_some();
        if let Some(waiter) = self.waiting.remove(&ticket) {
            self.retired.push(waiter.waker);
            self.note_a_change();
        }
        self.gone.remove(&ticket);
        if was_first { self.first_waker() } else { None }
    }

    /// Leaves the line as the first, which was admitted at this instant. Who is to be woken: the next.
    pub(crate) fn be_served(&mut self, at: u64) -> Option<Waker> {
        let (_, served) = self.waiting.pop_first()?;
        if served.turn != Some(at) || self.waiting.is_empty() {
            // It was later than could be foreseen, and so may be all others; or nobody is left to foresee anything for.
            self.note_a_change();
        }
        self.retired.push(served.waker);
        self.first_waker()
    }

    /// What is foreseen is not exact any more.
    pub(crate) fn note_a_change(&mut self) {
        self.is_stale = true;
        self.events += 1;
        if self.waiting.is_empty() {
            self.outlook = None;
        }
    }

    /// The window was changed. Who is to be woken: the first.
    pub(crate) fn disturb(&mut self) -> Option<Waker> {
        self.outlook = None;
        self.first_waker()
    }

    pub(crate) fn first_waker(&self) -> Option<Waker> {
        self.waiting.first_key_value().map(|(_, first)| first.waker.clone())
    }

    /// Whether turns are foreseen for those in line.
    pub(crate) fn is_foreseen(&self) -> bool {
        self.outlook.is_some()
    }

    /// The earliest turn of a call at the end of the line. `copy` is asked for the window as it is, if need be, and for the
    /// turns of so many units.
    ///
    /// It is exact, or where the line is long and `must_be_exact` is false, as exact as the last look ahead.
    pub(crate) fn turn_of_next(
        &mut self,
        now: u64,
        call: &Call,
        must_be_exact: bool,
        copy: impl FnOnce(u64) -> Box<dyn Foresee>,
    ) -> Turn {
        self.events += 1;
        let is_stale = self.is_stale(now) && (must_be_exact || self.may_look_ahead());
        let outlook = match self.outlook.take() {
            Some(outlook) if !is_stale && outlook.units >= u64::from(call.cost) => outlook,
            _ => self.look_ahead(now, Some(call), copy),
        };
        // Any other was found to be able to fit.
        self.outlook.insert(outlook).forecast.turn(call, now).unwrap_or(Turn::NEVER)
    }

    /// The turn of a call behind all who wait: exact, if it decides on whether it is refused.
    pub(crate) fn turn_behind(
        &mut self,
        now: u64,
        call: &Call,
        deadline: u64,
        copy: impl Fn(u64) -> Box<dyn Foresee>,
    ) -> Turn {
        let turn = self.turn_of_next(now, call, false, &copy);
        if self.is_in_doubt(now, turn.at, deadline) {
            return self.turn_of_next(now, call, true, &copy);
        }
        turn
    }

    /// Whether it is to be looked at more closely if a turn that was foreseen comes before this deadline: somebody may have
    /// left, and it comes earlier, or turns were late, and it comes later. Not by more than has passed since: as if nobody
    /// had had a turn.
    pub(crate) fn is_in_doubt(&self, now: u64, turn: u64, deadline: u64) -> bool {
        let latest = turn.saturating_add(now.saturating_sub(self.looked_at));
        self.is_stale(now) && latest > deadline
    }

    /// Whether turns may come at other instants than was foreseen.
    fn is_stale(&self, now: u64) -> bool {
        let first = self.waiting.first_key_value();
        // All others may be as late as the first.
        self.is_stale || first.is_some_and(|(_, first)| first.turn.is_some_and(|turn| turn < now))
    }

    /// Whether a look ahead has been earned: it takes a step for each in line, and there are not to be more than two for
    /// each call that comes or goes.
    fn may_look_ahead(&self) -> bool {
        self.outlook.is_none() || self.waiting.len() <= SHORT || self.events >= self.waiting.len()
    }

    /// Whether one in line had its turn by now, when it was last foreseen.
    pub(crate) fn has_turn(&self, ticket: Ticket, now: u64) -> bool {
        let waiter = self.waiting.get(&ticket).filter(|_| self.outlook.is_some());
        waiter.is_some_and(|waiter| !waiter.is_too_late(waiter.turn, now))
    }

    /// Finds out who is too late for its turn: of all, or of a long line that was foreseen not long ago, of this one.
    pub(crate) fn expire(&mut self, ticket: Ticket, now: u64, copy: impl FnOnce(u64) -> Box<dyn Foresee>) {
        self.events += 1;
        if self.may_look_ahead() {
            self.outlook = Some(self.look_ahead(now, None, copy));
        } else if let (Some(waiter), Some(outlook)) = (self.waiting.remove(&ticket), &mut self.outlook) {
            let turn = outlook.forecast.turn(&waiter.call, now);
            self.retired.push(waiter.waker);
            self.gone.insert(ticket, Gone { call: waiter.call, turn });
            self.is_stale = true;
        }
    }

    /// The window after the last turn, with room for so many units more. Who is too late is not in line any more: from the
    /// front to the end, so that it does not depend on who is the first to find out.
    fn look_ahead(
        &mut self,
        now: u64,
        more: Option<&Call>,
        copy: impl FnOnce(u64) -> Box<dyn Foresee>,
    ) -> Outlook {
        let calls = || self.waiting.values().map(|waiter| &waiter.call);
        let units_of = |call: &Call| u64::from(call.cost);
        let in_line: u64 = calls().map(units_of).sum();
        // As many again may join before it has to be done anew. What decides for limits that come with calls is not known.
        let units = if calls().chain(more).any(|call| call.limits.is_some()) {
            u64::MAX
        } else {
            (in_line + more.map_or(0, units_of)).saturating_mul(2)
        };
        let mut forecast = copy(units);
        let (mut late, mut is_first) = (Vec::new(), true);
        for (ticket, waiter) in &mut self.waiting {
            waiter.turn = forecast.turn(&waiter.call, now).map(|turn| turn.at);
            // The first decides for itself.
            if !is_first && waiter.is_too_late(waiter.turn, now) {
                late.push(*ticket);
            } else if let Some(turn) = waiter.turn.filter(|&turn| turn <= now.max(waiter.deadline)) {
                // Any other leaves before it has its turn.
                forecast.enter(&waiter.call, turn);
            }
            is_first = false;
        }
        for ticket in late {
            if let Some(waiter) = self.waiting.remove(&ticket) {
                self.retired.push(waiter.waker);
                let turn = forecast.turn(&waiter.call, now);
                self.gone.insert(ticket, Gone { call: waiter.call, turn });
            }
        }
        self.is_stale = false;
        self.events = 0;
        self.looked_at = now;
        Outlook { forecast, units: units - in_line }
    }
}

#[cfg(not(windowlimit_loom))]
impl super::Ends for Queue {
    fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.gone.is_empty()
    }

    fn close(&mut self) {
        self.is_closed = true;
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.waiting.values().map(|waiter| &waiter.call)).finish()
    }
}

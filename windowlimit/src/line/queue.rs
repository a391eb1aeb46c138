//! The line itself: tickets in order, and what is foreseen for them. Everything here happens under its lock.
//!
//! It is a sorted map and no queue of a library, since it has to be read as well: what is foreseen depends on the costs of
//! all who wait, in their order, and those who leave may stand anywhere.

use std::{collections::BTreeMap, fmt, task::Waker};

use super::{Foresee, Turn};
use crate::limit::Limit;

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
    next: u64,
    /// Until then the first in line has found no room.
    full_until: u64,
    /// The window after the turn of the last in line, if it is known.
    forecast: Option<Outlook>,
}

struct Outlook {
    forecast: Box<dyn Foresee>,
    /// As many more units can be foreseen.
    units: u64,
}

/// A place in line. The lower ones were there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

struct Waiter {
    call: Call,
    /// When its turn was foreseen, if it was.
    turn: Option<u64>,
    waker: Waker,
}

impl Queue {
    pub(crate) const fn new() -> Self {
        Self { waiting: BTreeMap::new(), next: 0, full_until: 0, forecast: None }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Stands at the end of the line. The turn is what was last foreseen, if it was.
    pub(crate) fn join(&mut self, call: Call, turn: Option<Turn>, waker: &Waker) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        match (&mut self.forecast, turn) {
            (Some(outlook), Some(turn)) => {
                outlook.forecast.enter(&call, turn.at);
                outlook.units = outlook.units.saturating_sub(u64::from(call.cost));
            }
            // It ends with somebody else.
            _ => self.forecast = None,
        }
        self.waiting.insert(ticket, Waiter { call, turn: turn.map(|turn| turn.at), waker: waker.clone() });
        ticket
    }

    /// What the first in line asks for, if this is the first.
    pub(crate) fn call_of_first(&self, ticket: Ticket) -> Option<&Call> {
        self.waiting.first_key_value().filter(|(first, _)| **first == ticket).map(|(_, waiter)| &waiter.call)
    }

    /// Goes on waiting.
    pub(crate) fn stay(&mut self, ticket: Ticket, waker: &Waker) {
        if let Some(waiter) = self.waiting.get_mut(&ticket) {
            waiter.waker.clone_from(waker);
        }
    }

    /// Leaves the line, from any place. What it asked for, and who is to be woken: the next, if this was the first.
    pub(crate) fn leave(&mut self, ticket: Ticket) -> (Option<Call>, Option<Waker>) {
        let was_first = self.call_of_first(ticket).is_some();
        let call = self.waiting.remove(&ticket).map(|waiter| waiter.call);
        self.forecast = None;
        (call, if was_first { self.next_turn() } else { None })
    }

    /// Leaves the line as the first, which was admitted at this instant. Who is to be woken: the next.
    pub(crate) fn pass(&mut self, at: u64) -> Option<Waker> {
        let (_, passed) = self.waiting.pop_first()?;
        if passed.turn != Some(at) || self.waiting.is_empty() {
            // It was later than could be foreseen, or nobody is left to foresee anything for.
            self.forecast = None;
        }
        self.next_turn()
    }

    fn next_turn(&mut self) -> Option<Waker> {
        self.full_until = 0;
        self.first_waker()
    }

    /// The window was changed. Who is to be woken: the first.
    pub(crate) fn disturb(&mut self) -> Option<Waker> {
        self.forecast = None;
        self.first_waker()
    }

    fn first_waker(&self) -> Option<Waker> {
        self.waiting.first_key_value().map(|(_, first)| first.waker.clone())
    }

    /// The first in line has found no room until this instant.
    pub(crate) fn full_until(&mut self, instant: u64) {
        self.full_until = instant;
    }

    /// Whether the first in line has its turn, as far as is known.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        self.full_until <= now
    }

    /// The earliest turn of a call at the end of the line. `copy` is asked for the window as it is, if need be, and for the
    /// turns of so many units.
    pub(crate) fn turn_of_next(
        &mut self,
        now: u64,
        call: &Call,
        copy: impl FnOnce(u64) -> Box<dyn Foresee>,
    ) -> Turn {
        // Any other was found to be able to fit.
        self.foresee(now, call.cost, copy).turn(call, now).unwrap_or(Turn::NEVER)
    }

    /// The earliest turn of one in line; `None` if it can never fit.
    pub(crate) fn turn_of(
        &mut self,
        now: u64,
        ticket: Ticket,
        copy: impl FnOnce(u64) -> Box<dyn Foresee>,
    ) -> Option<u64> {
        self.foresee(now, 0, copy);
        self.waiting.get(&ticket)?.turn
    }

    /// The window after the last turn, with so many units to spare. It is foreseen anew if the first in line should have
    /// had its turn already: all others may be as late.
    fn foresee(
        &mut self,
        now: u64,
        cost: u32,
        copy: impl FnOnce(u64) -> Box<dyn Foresee>,
    ) -> &mut Box<dyn Foresee> {
        let cost = u64::from(cost);
        let first = self.waiting.first_key_value();
        let is_overdue = first.is_some_and(|(_, first)| first.turn.is_some_and(|turn| turn < now));
        if is_overdue || self.forecast.as_ref().is_some_and(|outlook| outlook.units < cost) {
            self.forecast = None;
        }
        let waiting = &mut self.waiting;
        let outlook = self.forecast.get_or_insert_with(|| {
            // As many again may join before it has to be done anew.
            let in_line: u64 = waiting.values().map(|waiter| u64::from(waiter.call.cost)).sum();
            let units = (in_line + cost).saturating_mul(2);
            let mut forecast = copy(units);
            for waiter in waiting.values_mut() {
                let turn = forecast.turn(&waiter.call, now);
                waiter.turn = turn.map(|turn| turn.at);
                if let Some(turn) = turn {
                    forecast.enter(&waiter.call, turn.at);
                }
            }
            Outlook { forecast, units: units - in_line }
        });
        &mut outlook.forecast
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.waiting.values().map(|waiter| &waiter.call)).finish()
    }
}

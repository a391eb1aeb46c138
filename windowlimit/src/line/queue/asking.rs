//! What a line needs whose first has to ask for its turn, and may be told that several have it.

use super::{Call, Foresee, Queue, Ticket, Turn, Waiter};

impl Queue {
    pub(crate) fn first_ticket(&self) -> Option<Ticket> {
        self.waiting.first_key_value().map(|(ticket, _)| *ticket)
    }

    pub(crate) fn last_ticket(&self) -> Option<Ticket> {
        self.waiting.last_key_value().map(|(ticket, _)| *ticket)
    }

    /// Those in line, from the front to the end.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (Ticket, &Call)> {
        self.waiting.iter().map(|(ticket, waiter)| (*ticket, &waiter.call))
    }

    pub(crate) fn calls_mut(&mut self) -> impl Iterator<Item = (Ticket, &mut Call)> {
        self.waiting.iter_mut().map(|(ticket, waiter)| (*ticket, &mut waiter.call))
    }

    /// Takes one out of the line, from any place.
    pub(crate) fn take(&mut self, ticket: Ticket) -> Option<Waiter> {
        let waiter = self.waiting.remove(&ticket)?;
        self.note_a_change();
        Some(waiter)
    }

    /// Takes those out of the line, but for the first, whose turn is known to come after their deadline. A long line is not
    /// looked through each time.
    pub(crate) fn take_late(
        &mut self,
        now: u64,
        copy: impl FnOnce(u64) -> Box<dyn Foresee>,
    ) -> Vec<(Ticket, Waiter, Turn)> {
        if !self.may_look_ahead() {
            return Vec::new();
        }
        let mut outlook = self.look_ahead(now, None, copy);
        let is_late = |waiter: &Waiter| waiter.turn.is_none_or(|turn| turn > now.max(waiter.deadline));
        let late = self.waiting.iter().skip(1).filter(|(_, waiter)| is_late(waiter));
        let late: Vec<Ticket> = late.map(|(ticket, _)| *ticket).collect();
        let late = late.into_iter().filter_map(|ticket| {
            let waiter = self.waiting.remove(&ticket)?;
            let turn = outlook.forecast.turn(&waiter.call, now).unwrap_or(Turn::NEVER);
            Some((ticket, waiter, turn))
        });
        let late = late.collect();
        // They had no part in it.
        self.outlook = Some(outlook);
        late
    }
}

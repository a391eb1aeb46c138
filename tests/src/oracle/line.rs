//! A line in front of a window: a list of those who wait, looked through from the front each time.

use crate::subject::{Answer, Subject};

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Admitted,
    /// For good.
    Never,
    /// Others wait, and this call would have its turn after so many nanoseconds.
    OthersWait(u64),
    /// As many wait as may. The turn would come after so many nanoseconds.
    LineFull(u64),
    /// The turn would come after so many nanoseconds, and that is after the deadline.
    TooLate(u64),
    /// The deadline came before the turn.
    GaveUp,
}

/// A call that waits.
#[derive(Clone, Copy, Debug)]
pub struct Waiter {
    pub id: usize,
    pub cost: u32,
    pub deadline: Option<u64>,
}

/// A window with a line in front of it.
pub struct Line<S> {
    pub window: S,
    waiting: Vec<Waiter>,
    /// In the order in which they were admitted.
    pub admitted: Vec<usize>,
}

impl<S: Subject + Clone> Line<S> {
    #[must_use]
    pub fn new(window: S) -> Self {
        Self { window, waiting: Vec::new(), admitted: Vec::new() }
    }

    #[must_use]
    pub fn waiting(&self) -> &[Waiter] {
        &self.waiting
    }

    /// The turn of a call behind all who wait: each has its own as early as can be, one after the other.
    fn turn(&self, now: u64, cost: u32) -> Option<u64> {
        let mut window = self.window.clone();
        let mut time = now;
        let mut turn = None;
        let waiting = self.waiting.iter().map(|waiter| (waiter.cost, waiter.deadline));
        for (cost, deadline) in waiting.chain([(cost, None)]) {
            let mut with = window.clone();
            let next = match with.claim(time, cost) {
                Answer::Admitted { .. } => Some(time),
                Answer::Never => None,
                Answer::Refused { retry_after, .. } => {
                    let next = time + retry_after;
                    assert!(with.claim(next, cost).is_admitted(), "there is room when it was promised");
                    Some(next)
                }
            };
            // Who cannot have its turn in time will have left by then.
            if let Some(next) = next.filter(|&next| deadline.is_none_or(|deadline| next <= deadline.max(now)))
            {
                (window, time) = (with, next);
            }
            turn = next;
        }
        turn
    }

    fn can_fit(&self, now: u64, cost: u32) -> bool {
        self.window.clone().claim(now, cost) != Answer::Never
    }

    /// The time until the turn of a call at the end, which is not now.
    fn retry_after(&self, now: u64, cost: u32) -> u64 {
        self.turn(now, cost).map_or(u64::MAX, |turn| (turn - now).max(1))
    }

    /// A call that does not wait.
    pub fn call(&mut self, id: usize, now: u64, cost: u32) -> Answer {
        match self.waiting[..] {
            [] => {
                let answer = self.window.claim(now, cost);
                if answer.is_admitted() {
                    self.admitted.push(id);
                }
                answer
            }
            _ if !self.can_fit(now, cost) => Answer::Never,
            // The limit is not of interest.
            _ => Answer::Refused {
                limit: windowlimit::Limit::per_second(1),
                retry_after: self.retry_after(now, cost),
            },
        }
    }

    /// A call that waits; what became of it, if that is clear at once.
    pub fn join(&mut self, now: u64, waiter: Waiter, most: usize) -> Option<Outcome> {
        let Waiter { id, cost, deadline } = waiter;
        if self.waiting.is_empty() && self.window.claim(now, cost).is_admitted() {
            self.admitted.push(id);
            return Some(Outcome::Admitted);
        }
        if !self.can_fit(now, cost) {
            return Some(Outcome::Never);
        }
        let turn = self.turn(now, cost).expect("it fits");
        if self.waiting.len() >= most {
            return Some(Outcome::LineFull((turn - now).max(1)));
        }
        if deadline.is_some_and(|deadline| turn > deadline) {
            return Some(Outcome::TooLate(turn - now));
        }
        self.waiting.push(waiter);
        None
    }

    /// Lets all have their turns who have one, and those give up whose deadline is over.
    pub fn settle(&mut self, now: u64) -> Vec<(usize, Outcome)> {
        let mut outcomes = Vec::new();
        while let Some(&first) = self.waiting.first() {
            let outcome = match self.window.claim(now, first.cost) {
                Answer::Admitted { .. } => {
                    self.admitted.push(first.id);
                    Outcome::Admitted
                }
                Answer::Never => Outcome::Never,
                Answer::Refused { retry_after, .. }
                    if first.deadline.is_some_and(|deadline| now + retry_after > deadline) =>
                {
                    Outcome::TooLate(retry_after)
                }
                Answer::Refused { .. } => break,
            };
            outcomes.push((first.id, outcome));
            self.waiting.remove(0);
        }
        let late = |waiter: &Waiter| waiter.deadline.is_some_and(|deadline| deadline <= now);
        // Not the first: it has just been found not to be late.
        let gave_up: Vec<_> = self.waiting.iter().skip(1).filter(|waiter| late(waiter)).copied().collect();
        self.waiting.retain(|waiter| gave_up.iter().all(|gone| gone.id != waiter.id));
        for Waiter { id, cost, .. } in gave_up {
            let outcome = if self.can_fit(now, cost) { Outcome::GaveUp } else { Outcome::Never };
            outcomes.push((id, outcome));
        }
        outcomes
    }

    pub fn leave(&mut self, id: usize) {
        self.waiting.retain(|waiter| waiter.id != id);
    }

    /// The next instant at which anything happens by itself.
    #[must_use]
    pub fn next_event(&self, now: u64) -> Option<u64> {
        let first = self.waiting.first()?;
        let turn = match self.window.clone().claim(now, first.cost) {
            Answer::Refused { retry_after, .. } => Some(now + retry_after),
            _ => None,
        };
        let deadlines = self.waiting.iter().filter_map(|waiter| waiter.deadline);
        turn.into_iter().chain(deadlines).filter(|&event| event > now).min()
    }
}

//! Calls that wait for their turn, and those that find others waiting.

use std::time::Duration;

use super::Limiter;
use crate::{
    clock::Clock,
    error::RateLimitExceeded,
    gate::Gate,
    lasting::Together,
    line::{Acquire, Call, Foresee, Place, Queue},
    permit::Permit,
    usage::Usage,
    window::timeline::Admitted,
};

impl<C: Clock> Limiter<C> {
    /// Waits for the turn of a call that takes one unit: first come, first served.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter};
    ///
    /// static API: Limiter = Limiter::new("api", Limit::per_second(10));
    ///
    /// async fn fetch() -> Result<(), windowlimit::RateLimitExceeded> {
    ///     API.acquire().await?;
    ///     // Ten of these a second, and no more, in the order in which they came.
    ///     Ok(())
    /// }
    /// # pollster::block_on(fetch()).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// The refusal of a call that can never fit, or that finds the line [full](Self::max_waiters). (A
    /// [cost](Acquire::cost) and [more bounds](Acquire::within) can be set before it is polled.)
    ///
    /// # Concurrency
    ///
    /// While anybody waits, a call that does not is refused with the reason [`OthersWait`](crate::Reason::OthersWait).
    /// Nothing is locked while they wait, and only the first in line sleeps on a timer.
    pub fn acquire(&self) -> Acquire<'_, C> {
        Acquire::new(Place::Limiter(self), self.max_waiters)
    }

    /// As [`acquire`](Self::acquire), but no longer than this: a call whose turn comes later is refused at once, with the
    /// time until that turn, and does not stand in line.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire), or that the turn comes [too late](crate::Reason::TurnTooLate).
    pub fn acquire_within(&self, longest: Duration) -> Acquire<'_, C> {
        self.acquire().within(longest)
    }

    /// As [`acquire`](Self::acquire), by blocking this thread.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire).
    pub fn acquire_blocking(&self) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.acquire().blocking()
    }

    /// As [`acquire_within`](Self::acquire_within), by blocking this thread.
    ///
    /// ```
    /// use std::time::Duration;
    /// use windowlimit::{Limit, Limiter};
    ///
    /// static API: Limiter = Limiter::new("api", Limit::per_hour(1));
    ///
    /// assert!(API.acquire_within_blocking(Duration::from_secs(1)).is_ok());
    /// // Refused at once: an hour is longer than a second.
    /// let refusal = API.acquire_within_blocking(Duration::from_secs(1)).unwrap_err();
    /// assert!(refusal.retry_after() > Some(Duration::from_secs(3_500)));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`acquire_within`](Self::acquire_within).
    pub fn acquire_within_blocking(&self, longest: Duration) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.acquire_within(longest).blocking()
    }

    /// Decides on a call, whoever waits.
    pub(crate) fn decide(&self, call: &Call) -> Result<Admitted, RateLimitExceeded> {
        match self.timeline.claim::<true, C>(&self.clock, call.cost) {
            Ok(admitted) => Ok(admitted.unwrap_or(Admitted::NOTHING)),
            Err(refused) => Err(RateLimitExceeded::refused(self.name, refused)),
        }
    }

    /// All limits, if they are several and last.
    pub(crate) fn together(&self) -> Together {
        self.timeline.together()
    }

    /// The state of each limit.
    pub(crate) fn usages(&self) -> Vec<Usage> {
        self.timeline.usages(&self.clock)
    }

    /// Whether a call can ever be admitted.
    pub(crate) fn examine(&self, call: &Call) -> Result<(), RateLimitExceeded> {
        self.timeline.examine(call.cost).map_err(|refused| RateLimitExceeded::refused(self.name, refused))
    }

    /// The window as it is, to be played on with so many units.
    pub(crate) fn foresee(&self, units: u64) -> Box<dyn Foresee> {
        self.timeline.foresee(&self.clock, units)
    }

    /// Why a call that does not wait is refused, if others do.
    pub(super) fn behind_line(&self, cost: u32) -> Option<RateLimitExceeded> {
        if !self.gate.has(Gate::LINE) {
            return None;
        }
        Place::Limiter(self).behind_line(&Call { cost, limits: None })
    }

    /// The window was changed: whoever is the first in line looks at it again.
    pub(super) fn disturb(&self) {
        // Not only where the gate says that there is a line. Who joins decides under the lock of the line: either before
        // this, and then it is found there, or after it, and then it sees the change. The gate could be seen too late.
        if self.line.lock().is_some() {
            Place::Limiter(self).disturb();
        }
    }
}

impl<C> Limiter<C> {
    /// How many calls wait in line.
    #[must_use]
    pub fn waiting(&self) -> usize {
        in_scope!(self, |double| double.waiting());
        self.line.lock().as_ref().map_or(0, |queue| queue.len())
    }

    /// How many calls may wait in line at once; if there is no bound, `usize::MAX`.
    #[must_use]
    pub fn max_waiters(&self) -> usize {
        self.max_waiters
    }

    /// Looks at the line, under its lock.
    pub(crate) fn with_queue<R>(&self, look: impl FnOnce(&mut Queue) -> R) -> R {
        let mut line = self.line.lock();
        let queue = line.get_or_insert_with(|| Box::new(Queue::new()));
        let had_none = queue.is_empty();
        let result = look(queue);
        match (had_none, queue.is_empty()) {
            (true, false) => self.gate.set(Gate::LINE),
            (false, true) => self.gate.clear(Gate::LINE),
            _ => {}
        }
        result
    }
}

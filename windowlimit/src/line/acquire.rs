//! A call that waits for its turn.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use super::{
    Call, Place,
    place::{Patience, Step},
    queue::Ticket,
};
#[cfg(not(windowlimit_loom))]
use crate::watch::Outcome;
use crate::{
    clock::{Clock, Sleep, SystemClock, reading},
    error::RateLimitExceeded,
    limit::Limit,
    permit::Permit,
};

/// A call on its way to a permit: a future, or with [`blocking`](Self::blocking) a wait of this thread.
///
/// What [`Limiter::acquire`](crate::Limiter::acquire) and [`KeyedLimiter::acquire`](crate::KeyedLimiter::acquire) give.
/// It is counted, and comes to the line, when it is first polled. Dropped before it is ready, it leaves the line and has
/// cost nothing. It does not depend on an executor.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, Limiter, Reason};
///
/// static API: Limiter = Limiter::new("api", Limit::per_hour(10));
///
/// # fn main() -> Result<(), windowlimit::RateLimitExceeded> {
/// // In an `async fn`, `.await` instead of `.blocking()`.
/// let permit = API.acquire().cost(9).blocking()?;
/// assert_eq!(permit.remaining(), 1);
///
/// // The turn is in an hour: that is known at once, and nobody waits for it.
/// let refusal = API.acquire().cost(9).within(Duration::from_secs(2)).blocking().unwrap_err();
/// assert_eq!(refusal.reason(), Reason::TurnTooLate);
/// # Ok(())
/// # }
/// ```
///
/// # Output
///
/// The permit, or a refusal: the call can never fit, it is misconfigured, its key is one too many, the line is full, or the
/// turn comes later than it would wait.
///
/// # Concurrency
///
/// While it waits, others behind it do so too: a future that is neither polled when it was woken nor dropped holds them up.
#[must_use = "a future does nothing unless it is polled"]
pub struct Acquire<'l, C = SystemClock> {
    pub(super) place: Place<'l, C>,
    pub(super) state: State<'l>,
}

pub(super) enum State<'l> {
    New(Call, Patience),
    InLine(Ticket),
    /// In line, and asleep until this instant.
    Asleep(Ticket, u64, Sleep<'l>),
    /// It does not even come to the line.
    Refused(RateLimitExceeded),
    /// In the scope of a test.
    #[cfg(all(feature = "test-util", not(windowlimit_loom)))]
    Elsewhere(super::watched::Elsewhere),
    Done,
}

impl<'l, C> Acquire<'l, C> {
    pub(crate) fn new(place: Place<'l, C>, max_waiters: usize) -> Self {
        Self::of(place, Call { cost: 1, limits: None }, Patience { longest: None, max_waiters })
    }

    pub(super) fn of(place: Place<'l, C>, call: Call, patience: Patience) -> Self {
        Self { place, state: State::New(call, patience) }
    }

    /// What it asks for, until it has.
    fn with(mut self, change: impl FnOnce(&mut Call, &mut Patience)) -> Self {
        if let State::New(call, patience) = &mut self.state {
            change(call, patience);
        }
        self
    }

    /// Takes so many units instead of one.
    pub fn cost(self, cost: u32) -> Self {
        self.with(|call, _| call.cost = cost)
    }

    /// Waits no longer than this: if the turn comes later, it is refused at once.
    ///
    /// A call that has its turn by then, and only waits for those before it to take theirs, is given up to 100 ms more: they
    /// were woken at the same instant, and some may be polled a little later.
    pub fn within(self, longest: Duration) -> Self {
        let longest = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
        self.with(|_, patience| {
            patience.longest = Some(patience.longest.map_or(longest, |known| known.min(longest)));
        })
    }

    /// Waits only if fewer than so many do already; else it is refused at once.
    pub fn max_waiters(self, max_waiters: usize) -> Self {
        self.with(|_, patience| patience.max_waiters = patience.max_waiters.min(max_waiters))
    }

    /// By limits that come with the call, as [`KeyedLimiter::check_for`](crate::KeyedLimiter::check_for).
    pub(crate) fn limits(self, limits: &[Limit]) -> Self {
        self.with(|call, _| call.limits = Some(limits.into()))
    }

    /// Is refused, whatever the window says.
    pub(crate) fn refused(mut self, refusal: RateLimitExceeded) -> Self {
        self.state = State::Refused(refusal);
        self
    }

    pub(super) fn ticket(&self) -> Option<Ticket> {
        match self.state {
            State::InLine(ticket) | State::Asleep(ticket, ..) => Some(ticket),
            _ => None,
        }
    }
}

impl<'l, C: Clock> Acquire<'l, C> {
    /// Waits by blocking this thread: for code that is not `async`. On a thread of an executor it keeps from running
    /// whatever else would, perhaps what it waits for.
    ///
    /// # Errors
    ///
    /// See [Output](Self#output).
    pub fn blocking(self) -> Result<Permit<'l, C>, RateLimitExceeded> {
        pollster::block_on(self)
    }
}

impl<'l, C: Clock> Future for Acquire<'l, C> {
    type Output = Result<Permit<'l, C>, RateLimitExceeded>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let mut slept = false;
        #[cfg(not(windowlimit_loom))]
        if this.place.is_watched() {
            if let Some(done) = this.poll_watched(context) {
                return done;
            }
        }
        loop {
            #[cfg(not(windowlimit_loom))]
            let waits = this.ticket().is_some();
            let step = match &this.state {
                State::New(call, patience) => this.place.join(call, *patience, context.waker()),
                State::InLine(ticket) | State::Asleep(ticket, ..) => {
                    this.place.step(*ticket, context.waker())
                }
                State::Refused(refusal) => Step::Refused(refusal.clone()),
                // It was ready already.
                State::Done => return Poll::Pending,
                #[cfg(all(feature = "test-util", not(windowlimit_loom)))]
                State::Elsewhere(_) => return Poll::Pending,
            };
            #[cfg(not(windowlimit_loom))]
            match &step {
                Step::Admitted(_) if waits => this.place.note(Outcome::Waited),
                Step::Admitted(_) => this.place.note(Outcome::Admitted),
                Step::Refused(refusal) => this.place.note(Outcome::Refused(refusal)),
                Step::Waits(..) => {}
            }
            let (ticket, until) = match step {
                Step::Admitted(admitted) => {
                    this.state = State::Done;
                    return Poll::Ready(Ok(this.place.permit(admitted)));
                }
                Step::Refused(refusal) => {
                    this.state = State::Done;
                    return Poll::Ready(Err(refusal));
                }
                Step::Waits(ticket, until) => (ticket, until),
            };
            let asleep = match std::mem::replace(&mut this.state, State::InLine(ticket)) {
                State::Asleep(_, same, sleep) if until == Some(same) => Some((same, sleep)),
                _ => until.map(|until| (until, this.place.clock().sleep_until(reading(until)))),
            };
            let Some((until, mut sleep)) = asleep else { return Poll::Pending };
            if Pin::new(&mut sleep).poll(context).is_pending() {
                this.state = State::Asleep(ticket, until, sleep);
                return Poll::Pending;
            }
            if slept {
                // A timer that is ahead of the clock, again and again: let others have their turns.
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            slept = true;
        }
    }
}

impl<C> Drop for Acquire<'_, C> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket() {
            self.place.leave(ticket);
        }
    }
}

impl<C> fmt::Debug for Acquire<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut acquire = f.debug_struct("Acquire");
        acquire.field("limiter", &self.place.name());
        if let State::New(call, patience) = &self.state {
            acquire.field("cost", &call.cost).field("within", &patience.longest.map(Duration::from_nanos));
        }
        acquire.field("is_in_line", &self.ticket().is_some()).finish()
    }
}

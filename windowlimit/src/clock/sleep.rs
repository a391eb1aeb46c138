//! Waiting for a clock.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures_timer::Delay;

/// The longest that a timer is set for; who sleeps longer sets it again. The timer adds it to the time of day, which has
/// an end.
const LONGEST: Duration = Duration::from_secs(30 * 86_400);

/// A future that is ready when a [`Clock`](crate::Clock) has come to an instant, or before: what
/// [`sleep_until`](crate::Clock::sleep_until) gives.
///
/// A clock that has a timer of its own wraps it:
///
/// ```
/// use std::{future, time::Duration};
/// use windowlimit::{Clock, Sleep};
///
/// /// Time that is always up.
/// struct Never;
///
/// impl Clock for Never {
///     fn now(&self) -> u64 {
///         u64::MAX
///     }
///
///     fn sleep_until(&self, _: u64) -> Sleep<'_> {
///         Sleep::new(future::ready(()))
///     }
/// }
/// ```
#[must_use = "a future does nothing unless it is polled"]
pub struct Sleep<'c>(Timer<'c>);

enum Timer<'c> {
    Real(Delay),
    Other(Pin<Box<dyn Future<Output = ()> + Send + 'c>>),
}

impl<'c> Sleep<'c> {
    /// A sleep on any timer.
    pub fn new(timer: impl Future<Output = ()> + Send + 'c) -> Self {
        Self(Timer::Other(Box::pin(timer)))
    }

    /// A sleep of so much real time, under any executor. (All of them share one thread, which sleeps until the earliest is
    /// due.)
    pub fn for_real(time: Duration) -> Self {
        Self(Timer::Real(Delay::new(time.min(LONGEST))))
    }
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match &mut self.0 {
            Timer::Real(delay) => Pin::new(delay).poll(context),
            Timer::Other(timer) => timer.as_mut().poll(context),
        }
    }
}

impl fmt::Debug for Sleep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sleep").finish_non_exhaustive()
    }
}

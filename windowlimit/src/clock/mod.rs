//! Where time comes from, and the only place: everything else computes with the nanoseconds it gets from here.
//!
//! A limiter never trusts a clock to behave. Readings may repeat, jump or go back: that can hold admissions
//! back, it never lets one more through.

mod manual;
#[cfg(feature = "quanta")]
mod quanta;
mod sleep;
mod system;
#[cfg(feature = "tokio")]
mod tokio;

use std::{sync::Arc, time::Duration};

#[cfg(feature = "quanta")]
pub use self::quanta::QuantaClock;
#[cfg(feature = "tokio")]
pub use self::tokio::TokioClock;
pub use self::{
    manual::ManualClock,
    sleep::Sleep,
    system::{Latest, SystemClock},
};

/// The latest instant a limiter can tell from others, about 292 years after a clock's origin. A clock that runs
/// past it is read as standing still.
pub(crate) const LAST_INSTANT: u64 = (1 << 63) - 2;

/// A source of time for limiters: nanoseconds since an origin of its own.
///
/// Readings should never decrease. A clock that goes back makes a limiter stricter, never laxer: until it has come
/// back to where it was, the limiter takes the time to be that of the newest admission. So a clock that once jumps far
/// ahead, and is asked for admissions there, holds the limiter back until it really is so late. While a clock stands
/// still, no admission leaves the window.
///
/// What lies more than 292 years after the origin is read as 292 years: time ends there, nothing leaves the window any
/// more, and a retry time that points beyond it never comes.
///
/// # Example
///
/// A clock with the resolution of a second:
///
/// ```
/// use windowlimit::{Clock, Limit, Limiter, SystemClock};
///
/// struct WholeSeconds;
///
/// impl Clock for WholeSeconds {
///     fn now(&self) -> u64 {
///         SystemClock.now() / 1_000_000_000 * 1_000_000_000
///     }
/// }
///
/// static COARSE: Limiter<WholeSeconds> = Limiter::with_clock("coarse", &[Limit::per_minute(5)], WholeSeconds);
/// assert!(COARSE.try_acquire().is_ok());
/// ```
///
/// # Concurrency
///
/// A limiter reads its clock inside each decision, again at every retry, from many threads at once, and where decisions take
/// a lock, under it: a clock must not call the limiter that reads it.
///
/// A call that waits for its turn [sleeps](Self::sleep_until) on the clock. Unless the clock has a way of its own, that is for
/// as long, in real time, as the clock has to go; a clock that is slower is asked again.
pub trait Clock {
    /// Nanoseconds since this clock's origin.
    fn now(&self) -> u64;

    /// A future that is ready when this clock shows so many nanoseconds since its origin, or earlier: whoever sleeps looks
    /// at the clock again. It is polled by one task, and may be dropped at any time.
    fn sleep_until(&self, nanos: u64) -> Sleep<'_> {
        Sleep::for_real(Duration::from_nanos(nanos.saturating_sub(self.now())))
    }

    /// The latest instant that it may be, where that costs less than to read the clock: only [`SystemClock`] knows.
    #[doc(hidden)]
    fn latest(&self) -> Option<Latest> {
        None
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now(&self) -> u64 {
        (**self).now()
    }

    fn sleep_until(&self, nanos: u64) -> Sleep<'_> {
        (**self).sleep_until(nanos)
    }

    fn latest(&self) -> Option<Latest> {
        (**self).latest()
    }
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> u64 {
        (**self).now()
    }

    fn sleep_until(&self, nanos: u64) -> Sleep<'_> {
        (**self).sleep_until(nanos)
    }

    fn latest(&self) -> Option<Latest> {
        (**self).latest()
    }
}

/// Reads a clock into the range that the windows compute in, `1..=LAST_INSTANT`: a nanosecond later than it says, so
/// that 0 is left for a slot without an admission. Times from one reading to another stay what they are.
#[inline]
pub(crate) fn instant<C: Clock + ?Sized>(clock: &C) -> u64 {
    /// A branch that is never taken costs less than the arithmetic that it spares every decision. (Inlined, it would be
    /// arithmetic again.)
    #[cold]
    #[inline(never)]
    fn at_the_end() -> u64 {
        LAST_INSTANT
    }
    let reading = clock.now();
    if reading < LAST_INSTANT { reading + 1 } else { at_the_end() }
}

/// What the clock says at such an instant.
pub(crate) fn reading(instant: u64) -> u64 {
    instant.saturating_sub(1)
}

/// Readings start this far above zero, so that an instant can never be mistaken for an empty slot, and so that
/// a moment just before the first reading can still be told from it.
const HEAD_START: u64 = 1_000_000_000;

/// A duration in nanoseconds; what does not fit is the longest that does, 584 years.
#[inline]
fn nanos(duration: Duration) -> u64 {
    duration.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(duration.subsec_nanos()))
}

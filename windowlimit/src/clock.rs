//! Where time comes from, and the only place: everything else computes with the nanoseconds it gets from here.
//!
//! A limiter never trusts a clock to behave. Readings may repeat, jump or go back: that can hold admissions
//! back, it never lets one more through.

use std::{
    fmt,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use crate::sync::unmodelled::{AtomicU64, Ordering};

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
/// A limiter reads its clock inside each decision, again at every retry, and from many threads at once.
pub trait Clock {
    /// Nanoseconds since this clock's origin.
    fn now(&self) -> u64;
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now(&self) -> u64 {
        (**self).now()
    }
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> u64 {
        (**self).now()
    }
}

/// Reads a clock into the range that the windows compute in, `1..=LAST_INSTANT`: a nanosecond later than it says, so
/// that 0 is left for a slot without an admission. Times from one reading to another stay what they are.
#[inline]
pub(crate) fn instant<C: Clock + ?Sized>(clock: &C) -> u64 {
    /// A branch that is never taken costs less than the arithmetic that it spares every decision.
    #[cold]
    fn at_the_end() -> u64 {
        LAST_INSTANT
    }
    let reading = clock.now();
    if reading < LAST_INSTANT { reading + 1 } else { at_the_end() }
}

/// The operating system's monotonic clock, the default: what [`std::time::Instant`] reads.
///
/// Steps of the wall clock do not reach it. Whether time counts while the machine sleeps is the platform's
/// choice: it does on Windows, and does not on Linux and macOS. A limiter there resumes after the sleep where
/// it was before, and is never over its limit on this clock.
///
/// ```
/// use windowlimit::{Clock, SystemClock};
///
/// let earlier = SystemClock.now();
/// assert!(SystemClock.now() >= earlier);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

/// Readings start this far above zero, so that an instant can never be mistaken for an empty slot, and so that
/// a moment just before the first reading can still be told from it.
const HEAD_START: u64 = 1_000_000_000;

impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> u64 {
        /// The first reading of the process.
        static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let origin = *ORIGIN;
        nanos(Instant::now().saturating_duration_since(origin)).saturating_add(HEAD_START)
    }
}

/// A clock that moves only when it is told to, for tests.
///
/// Share it with a limiter by reference or by `Arc`. It starts one second after its origin.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, Limiter, ManualClock};
///
/// let clock = ManualClock::new();
/// let limiter = Limiter::with_clock("door", &[const { Limit::per_minute(1) }], &clock);
///
/// assert!(limiter.try_acquire().is_ok());
/// clock.advance(Duration::from_secs(60) - Duration::from_nanos(1));
/// assert!(limiter.try_acquire().is_err());
/// clock.advance(Duration::from_nanos(1));
/// assert!(limiter.try_acquire().is_ok());
/// ```
///
/// # Concurrency
///
/// Every method is atomic. A thread that learns of a movement in another way, by a channel or a join, reads the
/// clock as moved.
pub struct ManualClock {
    now: AtomicU64,
}

impl ManualClock {
    /// A clock that stands at one second after its origin.
    #[must_use]
    pub const fn new() -> Self {
        Self::starting_at(HEAD_START)
    }

    /// A clock that stands at so many nanoseconds after its origin.
    #[must_use]
    pub const fn starting_at(nanos: u64) -> Self {
        Self { now: AtomicU64::new(nanos) }
    }

    /// Moves the clock forward; it stops at the end of time, `u64::MAX` nanoseconds.
    pub fn advance(&self, by: Duration) {
        // Relaxed, both: the reading is the whole message. Whoever has to see it is told in another way.
        let _ = self
            .now
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| Some(now.saturating_add(nanos(by))));
    }

    /// Puts the clock to so many nanoseconds after its origin, back as well as forward.
    pub fn set(&self, nanos: u64) {
        // Relaxed: as in `advance`.
        self.now.store(nanos, Ordering::Relaxed);
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> u64 {
        // Relaxed: as in `advance`.
        self.now.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ManualClock").field(&Duration::from_nanos(self.now())).finish()
    }
}

/// A duration in nanoseconds; what does not fit is the longest that does, 584 years.
#[inline]
fn nanos(duration: Duration) -> u64 {
    duration.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(duration.subsec_nanos()))
}

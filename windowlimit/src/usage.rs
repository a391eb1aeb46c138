//! How full a window is.

use std::{fmt, time::Duration};

use crate::limit::Limit;

/// How full a limiter was at one instant; of several limits, the one with the least left.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, Limiter, ManualClock};
///
/// let clock = ManualClock::new();
/// let limiter = Limiter::with_clock("door", &[const { Limit::per_minute(3) }], &clock);
/// assert!(limiter.try_acquire().is_ok());
/// clock.advance(Duration::from_secs(20));
///
/// let usage = limiter.usage();
/// assert_eq!((usage.limit(), usage.live(), usage.remaining()), (3, 1, 2));
/// assert_eq!(usage.reset_after(), Duration::from_secs(40));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    limit: Limit,
    live: u32,
    /// Nanoseconds until the oldest live unit leaves.
    reset_after: u64,
}

impl Usage {
    /// The state of a limiter without limits: nothing fits.
    pub(crate) const NONE: Self = Self::new(Limit::NONE, 0, 0);

    pub(crate) const fn new(limit: Limit, live: u32, reset_after: u64) -> Self {
        Self { limit, live, reset_after }
    }

    /// The state of a limiter, of those of its limits.
    pub(crate) fn tightest(limits: impl Iterator<Item = Self>) -> Self {
        limits.reduce(Self::or_tighter).unwrap_or(Self::NONE)
    }

    /// This, unless the other one leaves less, or as little for longer.
    #[inline]
    pub(crate) fn or_tighter(self, other: Self) -> Self {
        let left = |usage: &Self| (usage.remaining(), u64::MAX - usage.reset_after);
        if left(&other) < left(&self) { other } else { self }
    }

    /// The same before so many units were taken.
    #[cfg(feature = "redis")]
    pub(crate) const fn before(self, units: u32) -> Self {
        Self { live: self.live.saturating_sub(units), ..self }
    }

    /// The same so many nanoseconds later, if no unit has left since.
    #[cfg(feature = "redis")]
    pub(crate) const fn later(self, nanos: u64) -> Self {
        Self { reset_after: self.reset_after.saturating_sub(nanos), ..self }
    }

    pub(crate) const fn tightest_limit(&self) -> &Limit {
        &self.limit
    }

    /// The most units that fit into one window.
    #[must_use]
    pub const fn limit(&self) -> u32 {
        self.limit.max()
    }

    /// How long an admission counts.
    #[must_use]
    pub const fn window(&self) -> Duration {
        self.limit.window()
    }

    /// How many units count at this instant.
    #[must_use]
    pub const fn live(&self) -> u32 {
        self.live
    }

    /// How many units the next calls would get at this instant.
    #[must_use]
    pub const fn remaining(&self) -> u32 {
        self.limit.max().saturating_sub(self.live)
    }

    /// [`reset_after`](Self::reset_after) in nanoseconds.
    #[cfg(any(feature = "http", feature = "redis"))]
    pub(crate) const fn reset_nanos(&self) -> u64 {
        self.reset_after
    }

    /// How long until the oldest live unit leaves the window, so that more is left; zero if none is live.
    #[must_use]
    pub const fn reset_after(&self) -> Duration {
        Duration::from_nanos(self.reset_after)
    }
}

impl fmt::Debug for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Usage")
            .field("limit", &self.limit)
            .field("live", &self.live)
            .field("remaining", &self.remaining())
            .field("reset_after", &self.reset_after())
            .finish()
    }
}

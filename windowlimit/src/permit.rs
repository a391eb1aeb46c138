//! An admission, as the caller holds it.

use std::{fmt, time::Duration};

use crate::{clock::SystemClock, limiter::Limiter, usage::Usage};

/// An admission: what was left behind it, by the very decision that made it.
///
/// It is a receipt and guards nothing: the unit stays charged when it is dropped, and leaves with its window.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, Limiter, ManualClock};
///
/// let clock = ManualClock::new();
/// let limiter = Limiter::with_clock("door", &[const { Limit::per_minute(3) }], &clock);
///
/// let permit = limiter.try_acquire()?;
/// assert_eq!(permit.remaining(), 2);
/// assert_eq!(permit.reset_after(), Duration::from_secs(60));
/// # Ok::<(), windowlimit::RateLimitExceeded>(())
/// ```
#[must_use = "a permit that is not looked at has still been charged; `check` admits without one"]
pub struct Permit<'l, C = SystemClock> {
    limiter: &'l Limiter<C>,
    usage: Usage,
}

impl<'l, C> Permit<'l, C> {
    pub(crate) fn new(limiter: &'l Limiter<C>, usage: Usage) -> Self {
        Self { limiter, usage }
    }

    /// How many units were left right after this admission; of several limits, of the one with the least left.
    ///
    /// The number is part of the decision: of calls that are admitted at one instant, no two see the same.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        self.usage.remaining()
    }

    /// How long after this admission the oldest live unit leaves, so that more is left.
    #[must_use]
    pub fn reset_after(&self) -> Duration {
        self.usage.reset_after()
    }

    /// How full the window was right after this admission.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// The limiter that admitted the call.
    #[must_use]
    pub fn limiter(&self) -> &'l Limiter<C> {
        self.limiter
    }
}

impl<C> fmt::Debug for Permit<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("limiter", &self.limiter.name())
            .field("remaining", &self.remaining())
            .field("reset_after", &self.reset_after())
            .finish()
    }
}

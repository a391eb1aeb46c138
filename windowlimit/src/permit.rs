//! An admission, as the caller holds it.

use std::{fmt, slice, time::Duration};

use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    limit::Limit,
    limiter::Limiter,
    usage::Usage,
    window::timeline::Admitted,
};

#[cfg(not(windowlimit_loom))]
use crate::keyed::{Digest, KeyedLimiter};

/// An admission: what was left behind it, by the very decision that made it.
///
/// It is a receipt and guards nothing: what it took stays charged when it is dropped, and leaves with its window.
/// [`refund`](Self::refund) gives it back before.
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
pub struct Permit<'l, C = SystemClock> {
    source: Source<'l, C>,
}

/// Who admitted a call.
enum Source<'l, C> {
    /// Nobody: it was not counted, by the limiter of this name and kind, which was so full.
    Uncounted(&'static str, Algorithm, Usage),
    Limiter(&'l Limiter<C>, Admitted),
    #[cfg(not(windowlimit_loom))]
    Keyed(&'l KeyedLimiter<C>, Digest, Admitted),
}

impl<'l, C> Permit<'l, C> {
    #[inline]
    pub(crate) fn new(limiter: &'l Limiter<C>, admitted: Admitted) -> Self {
        Self { source: Source::Limiter(limiter, admitted) }
    }

    #[cfg(not(windowlimit_loom))]
    pub(crate) fn of_key(limiter: &'l KeyedLimiter<C>, key: Digest, admitted: Admitted) -> Self {
        Self { source: Source::Keyed(limiter, key, admitted) }
    }

    /// The permit of a call that is not counted.
    pub(crate) fn uncounted(limiter: &'l Limiter<C>, usage: Usage) -> Self {
        Self { source: Source::Uncounted(limiter.static_name(), limiter.algorithm(), usage) }
    }

    /// The same of a call whose key nobody has asked for: as far as it knows, nothing is live.
    #[cfg(not(windowlimit_loom))]
    pub(crate) fn uncounted_key(limiter: &'l KeyedLimiter<C>) -> Self {
        let limits = limiter.limits();
        let usage = Usage::tightest(limits.iter().map(|limit| Usage::new(*limit, 0, 0)));
        Self { source: Source::Uncounted(limiter.static_name(), limiter.algorithm(), usage) }
    }

    /// What was taken, if anything.
    #[cfg(all(feature = "test-util", not(windowlimit_loom)))]
    pub(crate) fn admitted(&self) -> Option<Admitted> {
        match self.source {
            Source::Uncounted(..) => None,
            Source::Limiter(_, admitted) | Source::Keyed(_, _, admitted) => Some(admitted),
        }
    }

    /// The name of the limiter.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.source {
            Source::Uncounted(name, ..) => name,
            Source::Limiter(limiter, _) => limiter.static_name(),
            #[cfg(not(windowlimit_loom))]
            Source::Keyed(limiter, ..) => limiter.static_name(),
        }
    }

    /// The kind of window that admitted the call.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self.source {
            Source::Uncounted(_, algorithm, _) => algorithm,
            Source::Limiter(limiter, _) => limiter.algorithm(),
            #[cfg(not(windowlimit_loom))]
            Source::Keyed(limiter, ..) => limiter.algorithm(),
        }
    }

    /// How many units the call took: 0 if it was not counted.
    #[must_use]
    pub fn cost(&self) -> u32 {
        match self.source {
            Source::Uncounted(..) => 0,
            Source::Limiter(_, admitted) => admitted.receipt.cost,
            #[cfg(not(windowlimit_loom))]
            Source::Keyed(.., admitted) => admitted.receipt.cost,
        }
    }

    /// How many units were left right after this admission; of several limits, of the one with the least left.
    ///
    /// The number is part of the decision: of calls that are admitted at one instant, no two see the same.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        self.tightest().remaining()
    }

    /// How long after this admission the oldest live unit leaves, so that more is left.
    #[must_use]
    pub fn reset_after(&self) -> Duration {
        self.tightest().reset_after()
    }

    /// All limits that the call was decided by, in the order they were given; none if it was not counted. Of lists that are
    /// made at run time, as [`RateLimitExceeded::limits`](crate::RateLimitExceeded::limits) says.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        let together = match &self.source {
            Source::Uncounted(..) => return &[],
            Source::Limiter(_, admitted) => admitted.together,
            #[cfg(not(windowlimit_loom))]
            Source::Keyed(.., admitted) => admitted.together,
        };
        together.unwrap_or_else(|| slice::from_ref(self.tightest().tightest_limit()))
    }

    /// Of each limit beside the one of [`usage`](Self::usage): what was left, and the seconds until there is more.
    #[cfg(all(feature = "http", not(windowlimit_loom)))]
    pub(crate) fn others(&self) -> Vec<(Limit, u32, u64)> {
        match &self.source {
            Source::Limiter(_, admitted) | Source::Keyed(_, _, admitted) => {
                admitted.others.read(self.tightest().tightest_limit(), self.limits())
            }
            Source::Uncounted(..) => Vec::new(),
        }
    }

    /// How full the window was right after this admission.
    #[must_use]
    pub fn usage(&self) -> Usage {
        *self.tightest()
    }

    fn tightest(&self) -> &Usage {
        match &self.source {
            Source::Uncounted(.., usage) => usage,
            Source::Limiter(_, admitted) => &admitted.receipt.usage,
            #[cfg(not(windowlimit_loom))]
            Source::Keyed(.., admitted) => &admitted.receipt.usage,
        }
    }
}

impl<C: Clock> Permit<'_, C> {
    /// Gives back what this call took, as if it had not been made: exactly this admission, and only as long as it
    /// counts. After it has left the window, or after a [reset](Limiter::reset), nothing happens; nor
    /// does it where [other limits](Limiter::set_limits) have changed the segments or fixed windows that it was counted in.
    ///
    /// This is how to count failures only: the unit is taken before the body runs, so that no more bodies than that run
    /// at once, and is given back by those that succeed.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter, RateLimitExceeded};
    ///
    /// static GUESSES: Limiter = Limiter::new("guesses", Limit::per_hour(3));
    ///
    /// fn log_in(password: &str) -> Result<bool, RateLimitExceeded> {
    ///     let guess = GUESSES.try_acquire()?;
    ///     let is_right = password == "swordfish";
    ///     if is_right {
    ///         guess.refund();
    ///     }
    ///     Ok(is_right)
    /// }
    ///
    /// for _ in 0..100 {
    ///     assert_eq!(log_in("swordfish").ok(), Some(true));
    /// }
    /// assert_eq!((0..9).filter(|_| log_in("password").is_ok()).count(), 3);
    /// ```
    ///
    /// # Cost
    ///
    /// An exact window finds the record and corrects those after it, as many as were admitted in the meantime. A segmented
    /// window is copied, all of its words. A fixed window changes its word.
    pub fn refund(self) {
        match self.source {
            Source::Uncounted(..) => {}
            Source::Limiter(limiter, admitted) => limiter.refund(admitted),
            #[cfg(not(windowlimit_loom))]
            Source::Keyed(limiter, key, admitted) => limiter.refund(key, admitted),
        }
    }
}

impl<C> fmt::Debug for Permit<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("limiter", &self.name())
            .field("cost", &self.cost())
            .field("remaining", &self.remaining())
            .field("reset_after", &self.reset_after())
            .finish()
    }
}

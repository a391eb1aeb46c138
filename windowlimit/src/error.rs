//! What a refused call gets.

use std::{fmt, num::NonZeroU64, time::Duration};

use crate::{
    decider::Decider,
    limit::{InvalidLimit, Limit},
    window::{answer::Full, timeline::Refused},
};

/// A call was refused: the body did not run and nothing was charged.
///
/// As text it is a sentence that can be shown to anybody; the alternate form adds what an operator wants to know.
///
/// ```
/// use windowlimit::{Limit, Limiter, ManualClock};
///
/// let clock = ManualClock::new();
/// let logins = Limiter::with_clock("login", &[const { Limit::per_minute(1) }], &clock);
/// assert!(logins.try_acquire().is_ok());
///
/// let refusal = logins.try_acquire().unwrap_err();
/// assert_eq!(refusal.to_string(), "Too many requests, please try again later.");
/// assert_eq!(
///     format!("{refusal:#}"),
///     "Too many requests, please try again later. (`login` admits 1 per 1m; the next fits in 1m)",
/// );
/// ```
///
/// It is small (at most 64 bytes), made without an allocation, and `'static`: return it, store it, send it.
#[derive(Clone, PartialEq, Eq)]
pub struct RateLimitExceeded {
    name: &'static str,
    limit: Limit,
    /// Nanoseconds from the decision to the first instant at which the call would be admitted.
    retry_after: Option<NonZeroU64>,
    cause: Cause,
    decider: Decider,
}

/// [`Reason`] with what its explanation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "redis"), allow(dead_code))] // one is of shared windows
enum Cause {
    WindowFull,
    NeverFits,
    Misconfigured(InvalidLimit),
    /// With the most that are held.
    TooManyKeys(usize),
    StoreUnavailable,
}

/// Why a call was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The window holds as much as it may; units come free as time passes.
    WindowFull,
    /// The call takes more units than the limit has, so it can never be admitted. There is no retry time.
    NeverFits,
    /// The limiter was given values that are no limit, such as a window of zero, and refuses every call until
    /// it gets better ones. `{:#}` of the refusal says what is wrong.
    Misconfigured,
    /// The key is new, and as many as allowed are held: those that come again are not affected. There is no retry time,
    /// since nobody can tell when one of them will be idle.
    TooManyKeys,
    /// The window is shared with other processes, its store could not be asked, and without it every call is refused.
    /// There is no retry time, since nobody can tell when it will be back.
    StoreUnavailable,
}

impl RateLimitExceeded {
    #[inline]
    pub(crate) fn refused(name: &'static str, refused: Refused) -> Self {
        match refused {
            Refused::Full(Full { limit, retry_after }) => Self::window_full(name, limit, retry_after),
            Refused::Never(limit) => Self::never_fits(name, limit),
            Refused::Misconfigured(why) => Self::misconfigured(name, why),
        }
    }

    pub(crate) fn too_many_keys(name: &'static str, most: usize) -> Self {
        Self {
            name,
            limit: Limit::NONE,
            retry_after: None,
            cause: Cause::TooManyKeys(most),
            decider: Decider::Process,
        }
    }

    /// `limit` is full and has room again `retry_after` nanoseconds from now, which is never zero.
    #[inline]
    pub(crate) fn window_full(name: &'static str, limit: Limit, retry_after: u64) -> Self {
        Self {
            name,
            limit,
            retry_after: NonZeroU64::new(retry_after),
            cause: Cause::WindowFull,
            decider: Decider::Process,
        }
    }

    pub(crate) fn never_fits(name: &'static str, limit: Limit) -> Self {
        Self { name, limit, retry_after: None, cause: Cause::NeverFits, decider: Decider::Process }
    }

    pub(crate) fn misconfigured(name: &'static str, why: InvalidLimit) -> Self {
        Self {
            name,
            limit: Limit::NONE,
            retry_after: None,
            cause: Cause::Misconfigured(why),
            decider: Decider::Process,
        }
    }

    /// Without its store, the limiter refuses every call.
    #[cfg(feature = "redis")]
    pub(crate) fn store_unavailable(name: &'static str, limit: Limit) -> Self {
        Self { name, limit, retry_after: None, cause: Cause::StoreUnavailable, decider: Decider::Denied }
    }

    /// The same refusal, of another decider.
    #[cfg(feature = "redis")]
    pub(crate) fn decided_by(self, decider: Decider) -> Self {
        Self { decider, ..self }
    }

    /// Who has refused the call: the limiter's own window or, of one that is shared, its store or what stood in for it.
    #[must_use]
    pub fn decider(&self) -> Decider {
        self.decider
    }

    /// The name of the limiter: the module path and name of the function, unless it was given another.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// The limit that refused, in units; of several, the one that has room last. 0 if it was misconfigured, or
    /// if there are too many keys.
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit.max()
    }

    /// The window of the limit that refused. Zero if there was none.
    #[must_use]
    pub fn window(&self) -> Duration {
        self.limit.window()
    }

    /// How long after the decision the same call is admitted, if nobody else comes first: to the nanosecond,
    /// and never zero. `None` if it never is, or if that cannot be told.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after.map(|nanos| Duration::from_nanos(nanos.get()))
    }

    /// Why the call was refused.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self.cause {
            Cause::WindowFull => Reason::WindowFull,
            Cause::NeverFits => Reason::NeverFits,
            Cause::Misconfigured(_) => Reason::Misconfigured,
            Cause::TooManyKeys(_) => Reason::TooManyKeys,
            Cause::StoreUnavailable => Reason::StoreUnavailable,
        }
    }
}

impl fmt::Display for RateLimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Too many requests, please try again later.")?;
        if !f.alternate() {
            return Ok(());
        }
        let name = self.name();
        let window = humantime::format_duration(self.window());
        match (self.cause, self.retry_after()) {
            (Cause::Misconfigured(why), _) => {
                write!(f, " (`{name}` is misconfigured and refuses every call: {why})")
            }
            (Cause::TooManyKeys(most), _) => {
                write!(f, " (`{name}` holds {most} keys, the most it may, and this one is new)")
            }
            (Cause::StoreUnavailable, _) => {
                write!(
                    f,
                    " (`{name}` shares its window on a store that cannot be asked, and refuses every call)"
                )
            }
            (_, Some(retry_after)) => write!(
                f,
                " (`{name}` admits {} per {window}; the next fits in {})",
                self.limit(),
                humantime::format_duration(for_people(retry_after)),
            ),
            (_, None) => {
                write!(f, " (`{name}` admits {} per {window}; this call can never fit)", self.limit())
            }
        }
    }
}

/// Rounded up to milliseconds, where there are any: nobody reads on.
fn for_people(wait: Duration) -> Duration {
    let beyond = wait.subsec_nanos() % 1_000_000;
    if wait < Duration::from_millis(1) || beyond == 0 {
        wait
    } else {
        wait.saturating_add(Duration::from_nanos(u64::from(1_000_000 - beyond)))
    }
}

impl fmt::Debug for RateLimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitExceeded")
            .field("name", &self.name)
            .field("limit", &self.limit())
            .field("window", &self.window())
            .field("retry_after", &self.retry_after())
            .field("reason", &self.cause)
            .field("decider", &self.decider)
            .finish()
    }
}

impl std::error::Error for RateLimitExceeded {}

// Callers return it through every layer of a service: it has to stay cheap to move.
const _: () = assert!(size_of::<RateLimitExceeded>() <= 64);

//! What a refused call gets.

mod by;

use std::{fmt, num::NonZeroU64, time::Duration};

use self::by::By;
use crate::{
    decider::Decider,
    lasting::Together,
    limit::{InvalidLimit, Limit},
    line::Turn,
    others::Others,
    retry::{Retry, Since},
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
#[derive(Clone)]
pub struct RateLimitExceeded {
    name: &'static str,
    by: By,
    /// The first instant at which the call would be admitted: so many nanoseconds, ...
    nanos: Option<NonZeroU64>,
    /// ... counted from then: from the decision, or from the origin of its clock.
    since: Since,
    cause: Cause,
    /// The place of the limit that refused, among several.
    place: u8,
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
    TooManyKeys(Count),
    OthersWait,
    /// With the number of those who wait.
    LineFull(Count),
    TurnTooLate,
    StoreUnavailable,
}

/// A number that may stand anywhere: a refusal has no room for gaps.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Count([u8; 4]);

impl Count {
    fn of(count: usize) -> Self {
        Self(u32::try_from(count).unwrap_or(u32::MAX).to_ne_bytes())
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        u32::from_ne_bytes(self.0).fmt(f)
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        u32::from_ne_bytes(self.0).fmt(f)
    }
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
    /// Others wait in line for their turns, and this call would not wait. It would have its turn after them.
    OthersWait,
    /// This call would have waited, but as many wait as may.
    LineFull,
    /// This call would have waited, but not for so long: its turn comes later, after the retry time.
    TurnTooLate,
    /// The window is shared with other processes, its store could not be asked, and without it every call is refused.
    /// There is no retry time, since nobody can tell when it will be back.
    StoreUnavailable,
}

impl RateLimitExceeded {
    #[inline]
    pub(crate) fn refused(name: &'static str, refused: Refused) -> Self {
        match refused {
            Refused::Full(full, together, others) => Self::full(name, full).among(together, others),
            Refused::Never(limit, together) => {
                Self::never_fits(name, limit).among(together, Others::untold(&limit, 0))
            }
            Refused::Misconfigured(why) => Self::misconfigured(name, why),
        }
    }

    /// The limit has room again, some time.
    #[inline]
    pub(crate) fn full(name: &'static str, full: Full) -> Self {
        let Full { limit, retry_after, remaining } = full;
        let by = By::Alone { remaining, limit };
        Self::of(name, by, Retry::after(retry_after), Cause::WindowFull)
    }

    /// The only limit, which has nothing left, has room again then.
    #[inline]
    pub(crate) fn alone_and_full(name: &'static str, limit: Limit, retry: Retry) -> Self {
        Self::of(name, By::alone(limit), Some(retry), Cause::WindowFull)
    }

    #[inline]
    const fn of(name: &'static str, by: By, retry: Option<Retry>, cause: Cause) -> Self {
        let (nanos, since) = match retry {
            Some(Retry { nanos, since }) => (Some(nanos), since),
            None => (None, Since::Decision),
        };
        Self { name, by, nanos, since, cause, place: 0, decider: Decider::Process }
    }

    /// The same, decided by these limits, of which the others were in this state.
    pub(crate) fn among(self, together: Together, others: Others) -> Self {
        let (by, place) = self.by.among(together, others);
        Self { by, place, ..self }
    }

    pub(crate) fn too_many_keys(name: &'static str, most: usize) -> Self {
        Self::of(name, By::NONE, None, Cause::TooManyKeys(Count::of(most)))
    }

    /// The call is not the next, and would not wait.
    pub(crate) fn others_wait(name: &'static str, turn: Turn, now: u64) -> Self {
        Self::before_turn(name, turn, now, Cause::OthersWait)
    }

    /// There are so many before this call, and no more may be.
    pub(crate) fn line_full(name: &'static str, turn: Turn, now: u64, waiting: usize) -> Self {
        Self::before_turn(name, turn, now, Cause::LineFull(Count::of(waiting)))
    }

    /// The call would not wait until its turn.
    pub(crate) fn turn_too_late(name: &'static str, turn: Turn, now: u64) -> Self {
        Self::before_turn(name, turn, now, Cause::TurnTooLate)
    }

    fn before_turn(name: &'static str, turn: Turn, now: u64, cause: Cause) -> Self {
        // If it would have its turn now, it comes when those before it have had theirs.
        let retry_after = turn.at.saturating_sub(now).max(1);
        Self::of(name, By::alone(turn.limit), Retry::after(retry_after), cause)
    }

    fn retry(&self) -> Option<Retry> {
        self.nanos.map(|nanos| Retry { nanos, since: self.since })
    }

    /// The limit that is full, and the nanoseconds until it has room again, if it will.
    pub(crate) fn room_again(&self) -> Option<(Limit, u64)> {
        self.retry().map(|retry| (*self.by.limit(self.place), retry.nanos()))
    }

    pub(crate) fn never_fits(name: &'static str, limit: Limit) -> Self {
        Self::of(name, By::alone(limit), None, Cause::NeverFits)
    }

    pub(crate) fn misconfigured(name: &'static str, why: InvalidLimit) -> Self {
        Self::of(name, By::NONE, None, Cause::Misconfigured(why))
    }

    /// Without its store, the limiter refuses every call.
    #[cfg(feature = "redis")]
    pub(crate) fn store_unavailable(name: &'static str, limit: Limit) -> Self {
        let refusal = Self::of(name, By::alone(limit), None, Cause::StoreUnavailable);
        refusal.decided_by(Decider::Denied)
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
        self.by.limit(self.place).max()
    }

    /// The window of the limit that refused. Zero if there was none.
    #[must_use]
    pub fn window(&self) -> Duration {
        self.by.limit(self.place).window()
    }

    /// All limits that the call was decided by, in the order they were given, that of [`limit`](Self::limit) among them.
    /// None if the limiter was misconfigured, or if there are too many keys.
    ///
    /// Of lists that are made at run time the first few thousand different ones are kept for this, for the life of the
    /// process. Of others, only the limit that refused is known.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter};
    ///
    /// static API: Limiter = Limiter::all_of("api", &[Limit::per_second(10), Limit::per_hour(1)]);
    ///
    /// assert!(API.check().is_ok());
    /// let refusal = API.check().unwrap_err();
    /// assert_eq!(refusal.limit(), 1);
    /// assert_eq!(refusal.limits(), [Limit::per_second(10), Limit::per_hour(1)]);
    /// ```
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        let limits = self.by.limits();
        if limits == [Limit::NONE] { &[] } else { limits }
    }

    /// How many units the limit that refused had left, by the very decision: fewer than the call takes, so 0 for a call
    /// that takes one. 0 also for a call that can never fit, for which it was not counted.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        self.by.remaining(self.place)
    }

    /// Of each other limit, as far as it is told: what was left, and the seconds until there is more.
    #[cfg(feature = "http")]
    pub(crate) fn others(&self) -> Vec<(Limit, u32, u64)> {
        self.by.others(self.place)
    }

    /// How long after the decision the same call is admitted, if nobody else comes first: to the nanosecond,
    /// and never zero. `None` if it never is, or if that cannot be told.
    ///
    /// A window that is full for another quarter of a second on the [`SystemClock`](crate::SystemClock) refuses without the
    /// exact time. Then that is read here, and this is how long it takes from now: less, if it is asked for later.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry().map(|retry| Duration::from_nanos(retry.nanos()))
    }

    /// Why the call was refused.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self.cause {
            Cause::WindowFull => Reason::WindowFull,
            Cause::NeverFits => Reason::NeverFits,
            Cause::Misconfigured(_) => Reason::Misconfigured,
            Cause::TooManyKeys(_) => Reason::TooManyKeys,
            Cause::OthersWait => Reason::OthersWait,
            Cause::LineFull(_) => Reason::LineFull,
            Cause::TurnTooLate => Reason::TurnTooLate,
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
            (_, None) => {
                write!(f, " (`{name}` admits {} per {window}; this call can never fit)", self.limit())
            }
            (cause, Some(retry_after)) => {
                write!(f, " (`{name}` admits {} per {window}; ", self.limit())?;
                let wait = humantime::format_duration(for_people(retry_after));
                match cause {
                    Cause::OthersWait => {
                        write!(f, "others wait in line, and the turn after them is in {wait})")
                    }
                    Cause::LineFull(waiting) => {
                        write!(
                            f,
                            "{waiting} wait in line, the most that may, and the turn after them is in {wait})"
                        )
                    }
                    Cause::TurnTooLate => {
                        write!(f, "the turn of this call is in {wait}, later than it would wait)")
                    }
                    _ => write!(f, "the next fits in {wait})"),
                }
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

#[allow(clippy::missing_fields_in_debug)] // `nanos` and `since` are what `retry_after` says
impl fmt::Debug for RateLimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitExceeded")
            .field("name", &self.name)
            .field("limit", &self.by.limit(self.place).max())
            .field("window", &self.window())
            .field("retry_after", &self.retry_after())
            .field("reason", &self.cause)
            .field("decider", &self.decider)
            .finish()
    }
}

impl std::error::Error for RateLimitExceeded {}

/// Two that say the same: of the limiter, the limits, the one that refused, what it had left, the reason, and the time.
impl PartialEq for RateLimitExceeded {
    fn eq(&self, other: &Self) -> bool {
        // Not the state of the other limits, which is known only with a feature.
        let said = |refusal: &Self| {
            let Self { name, nanos, since, cause, decider, place, by } = *refusal;
            (name, *by.limit(place), by.remaining(place), nanos, since, cause, decider)
        };
        said(self) == said(other) && self.by.limits() == other.by.limits()
    }
}

impl Eq for RateLimitExceeded {}

// Callers return it through every layer of a service: it has to stay cheap to move.
const _: () = assert!(size_of::<RateLimitExceeded>() <= 64);

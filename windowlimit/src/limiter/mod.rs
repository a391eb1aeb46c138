//! The limiter that users hold: limits, a clock, a name, and the window they rule.

/// A method of the double that a limiter has in the scope of a test, if it is called in one.
macro_rules! in_scope {
    ($limiter:expr, |$double:ident| $done:expr) => {
        #[cfg(feature = "test-util")]
        if let Some($double) = $limiter.double() {
            return $done;
        }
    };
}

mod builder;
mod decision;
#[cfg(not(windowlimit_loom))]
mod subject;
mod waiting;

use std::fmt;

pub use self::builder::LimiterBuilder;
#[cfg(not(windowlimit_loom))]
use crate::watch::{Inhabited, Tally, Watch};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    error::RateLimitExceeded,
    gate::Gate,
    limit::{InvalidLimit, Limit},
    limits::Limits,
    line::Queue,
    permit::Permit,
    sync::{Mutex, const_fn},
    usage::Usage,
    window::timeline::{Admitted, Timeline},
};

/// A window over calls, exact unless it is given another [`Algorithm`]: for every limit (N, W), at most N units in every
/// interval `[t, t + W)`.
///
/// The attribute makes one for each function. By hand it is a `static`, a field, or anything that can be shared
/// by reference:
///
/// ```
/// use windowlimit::{Limit, Limiter};
///
/// static DOOR: Limiter = Limiter::new("door", Limit::per_minute(2));
///
/// assert!(DOOR.check().is_ok());
/// assert!(DOOR.check().is_ok());
/// let refusal = DOOR.check().unwrap_err();
/// assert!(refusal.retry_after().is_some());
/// ```
///
/// With several limits a call is admitted if all of them have room for it, and then counts for each:
///
/// ```
/// use windowlimit::{Limit, Limiter};
///
/// static API: Limiter = Limiter::all_of("api", &[Limit::per_second(10), Limit::per_minute(100)]);
/// assert!(API.check().is_ok());
/// ```
///
/// # Concurrency
///
/// Decisions are lock-free: each is one compare-and-swap, tried again if another call was faster, or none if it
/// refuses. (The window grows with its use, a few times in its life; a call that meets a growth, or a change of the
/// limits, waits for the copy to finish.) They take effect in one order that all threads agree on.
///
/// An exact limiter on which a call takes more than one unit, or gives its unit back, decides under a lock from then on:
/// a record may then have to be found or changed in the middle. Nobody has to choose, and no answer is different. While calls
/// [wait](Self::acquire) for their turns, those that do not take the lock of the line, to be told when theirs would be.
///
/// # Memory
///
/// 768 bytes, enough for seven live admissions. Beyond that eight for each of the most admissions that were ever live at once,
/// or up to 43 just after a growth: it grows by a factor of four, and keeps the smaller ones that it grew from. It never has
/// more places than the largest limit, and does not shrink. Threads beyond the first take 64 bytes each for what they
/// [count](mod@crate::registry), for four threads at once.
pub struct Limiter<C = SystemClock> {
    timeline: Timeline,
    gate: Gate,
    /// Made by the first call that waits: most limiters have none, and what they take is little.
    line: Mutex<Option<Box<Queue>>>,
    max_waiters: usize,
    name: &'static str,
    #[cfg(not(windowlimit_loom))]
    watch: Watch,
    #[cfg(not(windowlimit_loom))]
    tally: Tally,
    clock: C,
}

#[cfg(not(windowlimit_loom))]
impl Limiter {
    /// A limiter of one limit.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, limit: Limit) -> Self {
        Self::from_parts(name, Limits::one(limit), SystemClock)
    }

    /// A limiter of several limits over the same admissions. Without any it is misconfigured and refuses
    /// every call.
    #[must_use]
    #[track_caller]
    pub const fn all_of(name: &'static str, limits: &'static [Limit]) -> Self {
        Self::with_clock(name, limits, SystemClock)
    }

    /// A limiter that refuses every call and says why.
    #[track_caller]
    pub(crate) const fn misconfigured(name: &'static str, why: InvalidLimit) -> Self {
        Self::from_parts(name, Limits::invalid(why), SystemClock)
    }
}

impl Limiter {
    /// Starts a limiter whose name or limits are known at run time only, or that has a clock of its own.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter};
    ///
    /// let plan = "free";
    /// let limiter = Limiter::builder()
    ///     .name(format!("{plan} plan"))
    ///     .limit("100/m".parse()?)
    ///     .limit(Limit::per_second(10))
    ///     .build()?;
    /// assert_eq!(limiter.name(), "free plan");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> LimiterBuilder {
        LimiterBuilder::new()
    }
}

impl<C> Limiter<C> {
    /// A limiter with a clock of its own, for a `static` too. Without any limit it is misconfigured and refuses
    /// every call.
    ///
    /// The limits live as long as the program: a `static`, or in a function `&[const { Limit::per_minute(5) }]`.
    /// [`builder`](Limiter::builder) takes others.
    #[must_use]
    #[track_caller]
    #[cfg(not(windowlimit_loom))]
    pub const fn with_clock(name: &'static str, limits: &'static [Limit], clock: C) -> Self {
        Self::from_parts(name, Limits::borrowed(limits), clock)
    }

    const_fn! {
        #[track_caller]
        pub(crate) fn from_parts(name: &'static str, limits: Limits, clock: C) -> Self {
            let gate = Gate::at_first(limits.are_plain(), false);
            let line = Mutex::new(None);
            Self {
                timeline: Timeline::new(limits),
                gate,
                line,
                max_waiters: usize::MAX,
                name,
                #[cfg(not(windowlimit_loom))]
                watch: Watch::new(),
                #[cfg(not(windowlimit_loom))]
                tally: Tally::new(),
                clock,
            }
        }
    }

    /// The limiter of an attribute, which stands here and enters itself in the [registry](mod@crate::registry) when it is first
    /// called.
    #[must_use]
    #[cfg(not(windowlimit_loom))]
    pub(crate) fn at_home(mut self, home: &'static dyn Inhabited) -> Self {
        self.gate = Gate::at_first(self.timeline.limits_at_first().are_plain(), true);
        self.watch.set_home(home);
        self
    }

    /// What refusals call this limiter.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    pub(crate) fn static_name(&self) -> &'static str {
        self.name
    }

    /// The clock that decisions read.
    #[must_use]
    pub fn clock(&self) -> &C {
        &self.clock
    }

    const_fn! {
        /// The same limiter with another kind of window, for a `static` too; the [builder](Limiter::builder) takes it as
        /// well. A window of no segments, or of too many, is misconfigured: it refuses every call and says why.
        ///
        /// ```
        /// use windowlimit::{Algorithm, Limit, Limiter};
        ///
        /// static DOOR: Limiter = Limiter::new("door", Limit::per_minute(5)).with_algorithm(Algorithm::Segmented(10));
        /// assert!(DOOR.check().is_ok());
        /// ```
        #[must_use]
        pub fn with_algorithm(mut self, algorithm: Algorithm) -> Self {
            let is_plain = matches!(algorithm, Algorithm::Exact) && self.timeline.limits_at_first().are_plain();
            #[cfg(not(windowlimit_loom))]
            let is_unseen = self.watch.has_home();
            #[cfg(windowlimit_loom)]
            let is_unseen = false;
            self.gate = Gate::at_first(is_plain, is_unseen);
            self.timeline.set_algorithm(algorithm);
            self
        }
    }

    const_fn! {
        /// The same limiter with a bound on how many calls wait in line at once, for a `static` too: one more is refused with
        /// the reason [`LineFull`](crate::Reason::LineFull).
        #[must_use]
        pub fn with_max_waiters(mut self, max_waiters: usize) -> Self {
            self.max_waiters = max_waiters;
            self
        }
    }

    /// The kind of window.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.timeline.algorithm()
    }

    /// The limits, in the order they were given; none if it is misconfigured.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        in_scope!(self, |double| double.limits());
        self.timeline.limits()
    }
}

impl<C: Clock> Limiter<C> {
    /// Admits one call and takes one unit of every limit, or refuses it and takes nothing.
    ///
    /// This is the whole of what the attribute does before a body. [`try_acquire`](Self::try_acquire) also
    /// says what is left, and [`acquire`](Self::acquire) waits instead of refusing.
    ///
    /// # Errors
    ///
    /// The refusal, with the exact time after which the same call would be admitted. While others wait in line, it is
    /// refused with the reason [`OthersWait`](crate::Reason::OthersWait), and the time after which they will have passed.
    #[inline]
    pub fn check(&self) -> Result<(), RateLimitExceeded> {
        self.check_one()
    }

    /// Admits one call and takes one unit of every limit, and says what is left, or refuses it and takes nothing.
    ///
    /// # Errors
    ///
    /// The refusal, with the exact time after which the same call would be admitted.
    #[inline]
    pub fn try_acquire(&self) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.claim_one().map(|admitted| self.permit(admitted))
    }

    /// Admits one call and takes `cost` units of every limit, all of them at once, or refuses it and takes nothing.
    ///
    /// A cost of 0 takes nothing and follows the same rule: it is refused only while more is live than the limit, which
    /// was lowered, or while others wait.
    ///
    /// # Errors
    ///
    /// The refusal, with the exact time after which the same call would be admitted. A call that costs more than a limit
    /// can never be admitted: its refusal has the reason [`NeverFits`](crate::Reason::NeverFits) and no retry time.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter, Reason};
    ///
    /// static UPLOADS: Limiter = Limiter::new("megabytes", Limit::per_hour(100));
    ///
    /// assert!(UPLOADS.check_n(60).is_ok());
    /// assert!(UPLOADS.check_n(60).unwrap_err().retry_after().is_some());
    /// assert!(UPLOADS.check_n(40).is_ok());
    /// assert_eq!(UPLOADS.check_n(101).unwrap_err().reason(), Reason::NeverFits);
    /// ```
    pub fn check_n(&self, cost: u32) -> Result<(), RateLimitExceeded> {
        match cost {
            1 => self.check(),
            _ => self.claim::<false>(cost).map(drop),
        }
    }

    /// As [`check_n`](Self::check_n), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_n(&self, cost: u32) -> Result<Permit<'_, C>, RateLimitExceeded> {
        match cost {
            1 => self.try_acquire(),
            _ => self.claim::<true>(cost).map(|admitted| self.permit(admitted)),
        }
    }

    /// How full the window is now; of several limits, the one with the least left.
    ///
    /// `remaining` is what the next calls would get at this instant. Nothing is charged, and nothing is held: another
    /// thread may have been admitted before the answer is read.
    pub fn usage(&self) -> Usage {
        in_scope!(self, |double| double.usage());
        self.timeline.usage(&self.clock)
    }

    /// Forgets every admission: as much as the limits allow is free at once. A permit from before gives nothing back.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter};
    ///
    /// static LOGINS: Limiter = Limiter::new("logins", Limit::per_hour(1));
    ///
    /// assert!(LOGINS.check().is_ok() && LOGINS.check().is_err());
    /// LOGINS.reset();
    /// assert!(LOGINS.check().is_ok());
    /// ```
    pub fn reset(&self) {
        in_scope!(self, |double| double.reset());
        self.timeline.reset(&self.clock);
        self.disturb();
    }

    /// Keeps these limits from the next decision on, instead of those before, and remembers what was admitted.
    ///
    /// What counted for a limit before counts for the new ones, until it is as old as their windows; what had already
    /// left does not come back. So after lowering 10 to 5 with 7 live, calls are refused until fewer than 5 are. A fixed
    /// window that is under way goes on for the limit of the same length, or else of the longest. Where windows or segments
    /// get another length in a fixed or segmented limiter, permits from before give nothing back.
    ///
    /// # Errors
    ///
    /// There is no limit among them, or the window cannot have its segments; the limits then stay as they were.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter};
    ///
    /// static API: Limiter = Limiter::new("api", Limit::per_hour(1));
    ///
    /// assert!(API.check().is_ok() && API.check().is_err());
    /// API.set_limits([Limit::per_hour(3)])?;
    /// assert_eq!(API.usage().remaining(), 2);
    /// # Ok::<(), windowlimit::InvalidLimit>(())
    /// ```
    ///
    /// # Concurrency
    ///
    /// Calls that meet the change wait until the window has been copied; each is decided by the limits before or by
    /// these. Changes are made one after another.
    pub fn set_limits(&self, limits: impl IntoIterator<Item = Limit>) -> Result<(), InvalidLimit> {
        in_scope!(self, |double| double.set_limits(limits));
        let limits: Vec<Limit> = limits.into_iter().collect();
        self.timeline.set_limits(&self.clock, Limits::shared(&limits))?;
        self.disturb();
        Ok(())
    }

    pub(crate) fn refund(&self, admitted: Admitted) {
        #[cfg(feature = "test-util")]
        if crate::watch::scope::World::is_of_any(admitted.voided) {
            if let Some(double) = self.double_of(admitted.voided) {
                double.timeline.refund(&double.clock, admitted);
                double.disturb();
            }
            return;
        }
        self.timeline.refund(&self.clock, admitted);
        self.disturb();
    }

    #[inline]
    fn permit(&self, admitted: Option<Admitted>) -> Permit<'_, C> {
        // It was asked for.
        admitted.map_or_else(|| Permit::uncounted(self, self.usage()), |admitted| Permit::new(self, admitted))
    }
}

impl<C: Clock> fmt::Debug for Limiter<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter")
            .field("name", &self.name)
            .field("limits", &self.limits())
            .field("usage", &self.usage())
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

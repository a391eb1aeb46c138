//! The limiter that users hold: limits, a clock, a name, and the window they rule.

use std::{borrow::Cow, fmt};

use crate::{
    clock::{Clock, SystemClock},
    error::RateLimitExceeded,
    limit::{InvalidLimit, Limit},
    limits::Limits,
    name::interned,
    permit::Permit,
    sync::const_fn,
    usage::Usage,
    window::ring::{Full, Ring},
};

/// An exact sliding window: for every limit (N, W), at most N admissions in every interval `[t, t + W)`.
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
/// refuses. (The window grows with its use, a few times in its life; a call that meets a growth waits for the copy to
/// finish.) They take effect in one order that all threads agree on.
///
/// # Memory
///
/// About 700 bytes, enough for seven live admissions. Beyond that eight for each of the most admissions that were ever
/// live at once, or up to 43 just after a growth: it grows by a factor of four, and keeps the smaller ones that it grew
/// from. It never has more places than the largest limit, and does not shrink.
pub struct Limiter<C = SystemClock> {
    ring: Ring,
    limits: Limits,
    name: &'static str,
    clock: C,
}

#[cfg(not(windowlimit_loom))]
impl Limiter {
    /// A limiter of one limit.
    #[must_use]
    pub const fn new(name: &'static str, limit: Limit) -> Self {
        Self::from_parts(name, Limits::one(limit), SystemClock)
    }

    /// A limiter of several limits over the same admissions. Without any it is misconfigured and refuses
    /// every call.
    #[must_use]
    pub const fn all_of(name: &'static str, limits: &'static [Limit]) -> Self {
        Self::with_clock(name, limits, SystemClock)
    }

    /// A limiter that refuses every call and says why.
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
        LimiterBuilder { name: "limiter", limits: Vec::new(), clock: SystemClock }
    }
}

impl<C> Limiter<C> {
    /// A limiter with a clock of its own, for a `static` too. Without any limit it is misconfigured and refuses
    /// every call.
    ///
    /// The limits live as long as the program: a `static`, or in a function `&[const { Limit::per_minute(5) }]`.
    /// [`builder`](Limiter::builder) takes others.
    #[must_use]
    #[cfg(not(windowlimit_loom))]
    pub const fn with_clock(name: &'static str, limits: &'static [Limit], clock: C) -> Self {
        Self::from_parts(name, Limits::borrowed(limits), clock)
    }

    const_fn! {
        pub(crate) fn from_parts(name: &'static str, limits: Limits, clock: C) -> Self {
            Self { ring: Ring::new(), limits, name, clock }
        }
    }

    /// What refusals call this limiter.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// The clock that decisions read.
    #[must_use]
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// The limits, in the order they were given; none if it is misconfigured.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        self.limits.as_slice()
    }
}

impl<C: Clock> Limiter<C> {
    /// Admits one call and takes one unit of every limit, or refuses it and takes nothing.
    ///
    /// This is the whole of what the attribute does before a body. [`try_acquire`](Self::try_acquire) also
    /// says what is left.
    ///
    /// # Errors
    ///
    /// The refusal, with the exact time after which the same call would be admitted.
    #[inline]
    pub fn check(&self) -> Result<(), RateLimitExceeded> {
        if !self.limits.can_fit(1) {
            return Err(self.never());
        }
        match self.ring.try_claim(&self.limits, &self.clock, |_| Ok(())) {
            Ok(()) => Ok(()),
            Err(full) => Err(self.full(full)),
        }
    }

    /// Admits one call and takes one unit of every limit, and says what is left, or refuses it and takes nothing.
    ///
    /// # Errors
    ///
    /// The refusal, with the exact time after which the same call would be admitted.
    #[inline]
    pub fn try_acquire(&self) -> Result<Permit<'_, C>, RateLimitExceeded> {
        if !self.limits.can_fit(1) {
            return Err(self.never());
        }
        match self.ring.try_claim(&self.limits, &self.clock, |window| window.usage(1)) {
            Ok(usage) => Ok(Permit::new(self, usage)),
            Err(full) => Err(self.full(full)),
        }
    }

    /// How full the window is now; of several limits, the one with the least left.
    ///
    /// `remaining` is what the next calls would get at this instant. Nothing is charged, and nothing is held: another
    /// thread may have been admitted before the answer is read.
    pub fn usage(&self) -> Usage {
        if self.limits.can_fit(1) {
            self.ring.usage(&self.limits, &self.clock)
        } else {
            // Nothing can ever be live, and nothing is left.
            Usage::new(self.limits.strictest().unwrap_or(Limit::NONE), 0, 0)
        }
    }

    #[cold]
    fn never(&self) -> RateLimitExceeded {
        match (self.limits.fault(), self.limits.strictest()) {
            (None, Some(limit)) => RateLimitExceeded::never_fits(self.name, limit),
            (why, _) => RateLimitExceeded::misconfigured(self.name, why.unwrap_or(InvalidLimit::NO_LIMIT)),
        }
    }

    #[inline]
    fn full(&self, full: Full<'_>) -> RateLimitExceeded {
        RateLimitExceeded::window_full(self.name, *full.limit, full.retry_after)
    }
}

impl<C: Clock> fmt::Debug for Limiter<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter")
            .field("name", &self.name)
            .field("limits", &self.limits())
            .field("usage", &self.usage())
            .finish_non_exhaustive()
    }
}

/// Makes a [`Limiter`] from values that are known at run time only.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct LimiterBuilder<C = SystemClock> {
    name: &'static str,
    limits: Vec<Limit>,
    clock: C,
}

impl<C> LimiterBuilder<C> {
    /// What refusals call the limiter; `limiter` if it has no name.
    ///
    /// A name that is made at run time is kept, once, for the life of the process: name a kind of limiter, not each
    /// of a million.
    pub fn name(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: interned(name.into()), ..self }
    }

    /// One limit more.
    pub fn limit(self, limit: Limit) -> Self {
        self.limits([limit])
    }

    /// Some limits more.
    pub fn limits(mut self, limits: impl IntoIterator<Item = Limit>) -> Self {
        self.limits.extend(limits);
        self
    }

    /// Another clock than the operating system's.
    pub fn clock<D: Clock>(self, clock: D) -> LimiterBuilder<D> {
        LimiterBuilder { name: self.name, limits: self.limits, clock }
    }

    /// The limiter, with an empty window.
    ///
    /// # Errors
    ///
    /// No limit was given.
    pub fn build(self) -> Result<Limiter<C>, InvalidLimit> {
        let limits = Limits::shared(&self.limits);
        match limits.fault() {
            None => Ok(Limiter::from_parts(self.name, limits, self.clock)),
            Some(why) => Err(why),
        }
    }
}

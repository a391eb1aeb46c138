//! What expansions of the attribute call. Nothing here is covered by semantic versioning, and nothing here is
//! meant to be written by hand.

pub use core::{
    concat, module_path,
    option::Option::{self, None, Some},
    primitive::{bool, u32},
    result::Result::{self, Err, Ok},
    time::Duration,
};
pub use once_cell::sync::Lazy;
pub use windowlimit_macros::__from_impl;

pub use crate::{
    algorithm::Algorithm,
    error::RateLimitExceeded,
    key::{Key, key},
    limit::{InvalidLimit, Limit},
    limiter::Limiter,
    permit::Permit,
    refuse::{FromExceeded, Refuse},
};
use crate::{
    clock::{Clock, SystemClock},
    limits::Limits,
};

/// `limit = .., window_ms = ..`.
pub const fn millis(max: u32, window_ms: u64) -> Result<Limit, InvalidLimit> {
    Limit::from_nanos(max, window_ms.saturating_mul(1_000_000))
}

/// `limit = .., window = ".."`, read at compile time.
pub const fn nanos(max: u32, window_ns: u64) -> Result<Limit, InvalidLimit> {
    Limit::from_nanos(max, window_ns)
}

/// `limit = .., window = ..`, of a `Duration`.
pub const fn span(max: u32, window: Duration) -> Result<Limit, InvalidLimit> {
    Limit::new(max, window)
}

/// One of several limits whose numbers are literals that the attribute has checked.
#[must_use]
pub const fn literal(max: u32, window_ns: u64) -> Limit {
    match Limit::from_nanos(max, window_ns) {
        Ok(limit) => limit,
        // Not reached, the attribute refuses a zero. It would admit nothing.
        Err(_) => Limit::NONE,
    }
}

/// The limiter of a function with one limit; one that refuses every call where that is none.
#[must_use]
pub const fn limiter(limit: Result<Limit, InvalidLimit>, name: &'static str) -> Limiter {
    match limit {
        Ok(limit) => Limiter::new(name, limit),
        Err(why) => Limiter::misconfigured(name, why),
    }
}

/// The limiter of a function with `limits = [..]`, each of them [`literal`].
#[must_use]
pub const fn limiters(limits: &'static [Limit], name: &'static str) -> Limiter {
    Limiter::all_of(name, limits)
}

/// The limiter of a function with `limits = ..`.
pub fn limiters_at_run_time(limits: impl IntoLimits, name: &'static str) -> Limiter {
    match limits.into_limits() {
        Ok(limits) => Limiter::from_parts(name, Limits::shared(&limits), SystemClock),
        Err(why) => Limiter::misconfigured(name, why),
    }
}

/// `algorithm = segmented(EXPR)`.
pub fn segmented(segments: impl IntoSegments) -> Algorithm {
    segments.into_segments()
}

/// The guard: `None` admits.
#[inline]
pub fn check<C: Clock>(limiter: &Limiter<C>) -> Option<RateLimitExceeded> {
    limiter.check().err()
}

/// The guard of a function with `cost = ..`.
#[inline]
pub fn check_n<C: Clock>(limiter: &Limiter<C>, cost: u32) -> Option<RateLimitExceeded> {
    limiter.check_n(cost).err()
}

/// The guard of a function that looks at its permit.
#[inline]
pub fn admit<C: Clock>(limiter: &Limiter<C>) -> Result<Permit<'_, C>, RateLimitExceeded> {
    limiter.try_acquire()
}

/// The guard of a function that has a cost and looks at its permit.
#[inline]
pub fn admit_n<C: Clock>(limiter: &Limiter<C>, cost: u32) -> Result<Permit<'_, C>, RateLimitExceeded> {
    limiter.try_acquire_n(cost)
}

/// The permit of a call that is not counted.
pub fn uncounted<C: Clock>(limiter: &Limiter<C>) -> Permit<'_, C> {
    Permit::uncounted(limiter.static_name(), limiter.usage())
}

/// `error = EXPR`.
#[inline]
pub fn err<T, E>(error: E) -> Result<T, E> {
    Err(error)
}

/// `error = |exceeded| ..` and `fallback = |exceeded| ..`: the call gives the parameter its type.
#[inline]
pub fn call<R>((f,): (impl FnOnce(RateLimitExceeded) -> R,), exceeded: RateLimitExceeded) -> R {
    f(exceeded)
}

/// `fallback = |exceeded| ..` of a function that returns `!`.
pub fn diverge((f,): (impl FnOnce(RateLimitExceeded) -> Never,), exceeded: RateLimitExceeded) -> ! {
    f(exceeded)
}

/// The type `!`, which has no stable name: what a function returns that never does.
pub type Never = <fn() -> ! as Returns>::Value;

/// A function, and what it returns.
pub trait Returns {
    /// The type behind the arrow.
    type Value;
}

impl<T> Returns for fn() -> T {
    type Value = T;
}

/// What is matched where a value is evaluated that may be a `panic!()`.
pub const YES: bool = true;

/// The other branch of such a match, which is not taken.
#[must_use]
pub fn never<T>() -> T {
    unreachable!("no value of `error` or `fallback` is looked for where a call is admitted")
}

/// What may stand behind `limits =`: an array, slice or `Vec` of limits or of `(limit, window)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no limits: write an array of `Limit`, or of `(limit, window)`",
    label = "not a list of limits"
)]
pub trait IntoLimits {
    /// All of them, or what is wrong with the first bad one.
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit>;
}

impl<T: IntoLimit, const N: usize> IntoLimits for [T; N] {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.into_iter().map(T::into_limit).collect()
    }
}

impl<T: IntoLimit> IntoLimits for Vec<T> {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.into_iter().map(T::into_limit).collect()
    }
}

impl<T: IntoLimit + Clone> IntoLimits for &[T] {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.iter().cloned().map(T::into_limit).collect()
    }
}

impl<T: IntoLimit + Clone, const N: usize> IntoLimits for &[T; N] {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.as_slice().into_limits()
    }
}

/// What may stand in such a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no limit: write a `Limit`, or `(limit, window)`",
    label = "neither a `Limit` nor a `(u32, Duration)`"
)]
pub trait IntoLimit {
    /// The limit.
    fn into_limit(self) -> Result<Limit, InvalidLimit>;
}

impl IntoLimit for Limit {
    fn into_limit(self) -> Result<Limit, InvalidLimit> {
        Ok(self)
    }
}

impl IntoLimit for Result<Limit, InvalidLimit> {
    fn into_limit(self) -> Result<Limit, InvalidLimit> {
        self
    }
}

impl IntoLimit for (u32, Duration) {
    fn into_limit(self) -> Result<Limit, InvalidLimit> {
        Limit::new(self.0, self.1)
    }
}

/// What may stand in `algorithm = segmented(..)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no segments: write how many there are, a `u32`, or how long one is, a `Duration`",
    label = "neither a `u32` nor a `Duration`"
)]
pub trait IntoSegments {
    /// The algorithm with these segments. Whether a window can have them is for the limiter to say.
    fn into_segments(self) -> Algorithm;
}

impl IntoSegments for u32 {
    fn into_segments(self) -> Algorithm {
        Algorithm::Segmented(self)
    }
}

impl IntoSegments for Duration {
    fn into_segments(self) -> Algorithm {
        Algorithm::SegmentedBy(self)
    }
}

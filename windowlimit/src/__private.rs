//! What expansions of the attribute call. Nothing here is covered by semantic versioning, and nothing here is
//! meant to be written by hand.

mod given;
#[cfg(feature = "redis")]
mod shared;
mod values;
mod waiting;

pub use core::{
    concat, module_path,
    option::Option::{self, None, Some},
    primitive::{bool, u32},
    result::Result::{self, Err, Ok},
    time::Duration,
};
pub use once_cell::sync::Lazy;
pub use windowlimit_macros::__from_impl;

use std::hash::Hash;

pub use self::{
    given::{Keyed, Plain, keyed_of, limiter_of},
    values::{CallLimits, IntoLimit, IntoLimits, IntoSegments, LimitsFor, limits_for},
    waiting::{
        Waiting, refused, wait, wait_key, wait_key_for, wait_millis, wait_nanos, wait_span, waiters, waiting,
    },
};
#[cfg(feature = "redis")]
pub use self::{shared::*, waiting::wait_call};
pub use crate::{
    algorithm::Algorithm,
    error::RateLimitExceeded,
    key::{Key, key},
    keyed::KeyedLimiter,
    limit::{InvalidLimit, Limit},
    limiter::Limiter,
    permit::Permit,
    refuse::{FromExceeded, Refuse},
    watch::{Home, Inhabited},
};
use crate::{
    clock::{Clock, SystemClock},
    limits::Limits,
};

/// Where the limiter of a function lives that its first call makes.
pub type LimiterHome = Home<Limiter>;

/// The same with `key = ..`.
pub type KeyedHome = Home<KeyedLimiter>;

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

/// The limiter of a function with one limit, whose numbers are literals that the attribute has checked. The first call makes
/// it.
#[inline]
#[track_caller]
pub fn limiter(home: &'static LimiterHome, max: u32, window_ns: u64, name: &'static str) -> &'static Limiter {
    match home.get() {
        Some(limiter) => limiter,
        None => first_limiter(home, nanos(max, window_ns), name),
    }
}

#[cold]
#[track_caller]
fn first_limiter(
    home: &'static LimiterHome,
    limit: Result<Limit, InvalidLimit>,
    name: &'static str,
) -> &'static Limiter {
    let limiter = match limit {
        Ok(limit) => Limiter::new(name, limit),
        Err(why) => Limiter::misconfigured(name, why),
    };
    let limiter = limiter.at_home(home);
    home.get_or_make(|| limiter)
}

/// The same with `key = ..`.
#[inline]
#[track_caller]
pub fn keyed(
    home: &'static KeyedHome,
    max: u32,
    window_ns: u64,
    name: &'static str,
) -> &'static KeyedLimiter {
    match home.get() {
        Some(limiter) => limiter,
        None => first_keyed(home, nanos(max, window_ns), name),
    }
}

#[cold]
#[track_caller]
fn first_keyed(
    home: &'static KeyedHome,
    limit: Result<Limit, InvalidLimit>,
    name: &'static str,
) -> &'static KeyedLimiter {
    let limiter = match limit {
        Ok(limit) => KeyedLimiter::new(name, limit),
        Err(why) => KeyedLimiter::misconfigured(name, why),
    };
    let limiter = limiter.at_home(home);
    home.get_or_make(|| limiter)
}

/// The limiter of a function with these limits; one that refuses every call where they are none.
#[track_caller]
pub fn limiters(limits: impl IntoLimits, name: &'static str, home: &'static dyn Inhabited) -> Limiter {
    match limits.into_limits() {
        Ok(limits) => Limiter::from_parts(name, Limits::shared(&limits), SystemClock).at_home(home),
        Err(why) => Limiter::misconfigured(name, why).at_home(home),
    }
}

/// `algorithm = segmented(EXPR)`.
pub fn segmented(segments: impl IntoSegments) -> Algorithm {
    segments.into_segments()
}

/// The limiter of a function with `key = ..` and these limits.
#[track_caller]
pub fn keyed_limiters(
    limits: impl IntoLimits,
    name: &'static str,
    home: &'static dyn Inhabited,
) -> KeyedLimiter {
    match limits.into_limits() {
        Ok(limits) => {
            let longest = Limits::longest_of(&limits);
            KeyedLimiter::from_parts(name, Limits::shared(&limits), longest, SystemClock).at_home(home)
        }
        Err(why) => KeyedLimiter::misconfigured(name, why).at_home(home),
    }
}

/// The limiter of a function with `limit_for = ..`. Of this limit only the window matters: none is longer.
#[must_use]
#[track_caller]
pub fn keyed_for(
    longest: Result<Limit, InvalidLimit>,
    name: &'static str,
    home: &'static dyn Inhabited,
) -> KeyedLimiter {
    match longest {
        Ok(limit) => KeyedLimiter::for_longest(name, limit.window()).at_home(home),
        Err(why) => KeyedLimiter::misconfigured(name, why).at_home(home),
    }
}

/// The guard: `None` admits.
#[inline]
pub fn check<L: Plain + ?Sized>(limiter: &L) -> Option<RateLimitExceeded> {
    limiter.plain().check().err()
}

/// The guard of a function with `cost = ..`.
#[inline]
pub fn check_n<L: Plain + ?Sized>(limiter: &L, cost: u32) -> Option<RateLimitExceeded> {
    limiter.plain().check_n(cost).err()
}

/// The guard of a function that looks at its permit. The compiler looks through references to the limiter here, so
/// that the permit lives as long as the limiter, and not as long as what refers to it.
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
    Permit::uncounted(limiter, limiter.usage())
}

/// The guard of a function with `key = ..`.
#[inline]
pub fn check_key<L: Keyed + ?Sized, K: Hash + ?Sized>(limiter: &L, key: &K) -> Option<RateLimitExceeded> {
    limiter.keyed().check(key).err()
}

/// The guard of a function with `key = ..` and `cost = ..`.
#[inline]
pub fn check_key_n<L: Keyed + ?Sized, K: Hash + ?Sized>(
    limiter: &L,
    key: &K,
    cost: u32,
) -> Option<RateLimitExceeded> {
    limiter.keyed().check_n(key, cost).err()
}

/// The guard of a function with `key = ..` and `limit_for = ..`.
#[inline]
pub fn check_key_for<C: Clock, K: Hash + ?Sized>(
    limiter: &KeyedLimiter<C>,
    key: &K,
    limits: &CallLimits,
    cost: u32,
) -> Option<RateLimitExceeded> {
    match limits.get() {
        Ok(limits) => limiter.check_for(key, limits, cost).err(),
        Err(why) => Some(limiter.misconfigured_call(why)),
    }
}

/// As [`check_key`], for a function that looks at its permit.
#[inline]
pub fn admit_key<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
) -> Result<Permit<'l, C>, RateLimitExceeded> {
    limiter.try_acquire(key)
}

/// As [`check_key_n`], for a function that looks at its permit.
#[inline]
pub fn admit_key_n<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
    cost: u32,
) -> Result<Permit<'l, C>, RateLimitExceeded> {
    limiter.try_acquire_n(key, cost)
}

/// As [`check_key_for`], for a function that looks at its permit.
#[inline]
pub fn admit_key_for<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
    limits: &CallLimits,
    cost: u32,
) -> Result<Permit<'l, C>, RateLimitExceeded> {
    match limits.get() {
        Ok(limits) => limiter.try_acquire_for(key, limits, cost),
        Err(why) => Err(limiter.misconfigured_call(why)),
    }
}

/// The permit of a call that is not counted, whose key has not been looked at.
pub fn uncounted_key<C: Clock>(limiter: &KeyedLimiter<C>) -> Permit<'_, C> {
    Permit::uncounted_key(limiter)
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

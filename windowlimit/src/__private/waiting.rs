//! `wait`, `max_wait` and `max_waiters`: what the guard of a function calls that waits for its turn.
//!
//! STUB: the bodies of [`wait`], [`wait_key`] and [`wait_key_for`] decide at once, and [`Waiting`] is not looked at.

use std::{hash::Hash, time::Duration};

use super::CallLimits;
use crate::{
    clock::Clock, error::RateLimitExceeded, keyed::KeyedLimiter, limiter::Limiter, line::Acquire,
    permit::Permit,
};

/// How long a function's calls wait in line, and how many may.
#[derive(Clone, Copy)]
pub struct Waiting {
    #[expect(dead_code, reason = "stub")]
    longest: Option<Duration>,
    #[expect(dead_code, reason = "stub")]
    most: Option<u32>,
}

/// `wait`, and what `max_wait` and `max_waiters` say.
#[must_use]
pub const fn waiting(longest: Option<Duration>, most: Option<u32>) -> Waiting {
    Waiting { longest, most }
}

/// `max_wait_ms = ..`.
#[must_use]
pub const fn wait_millis(longest: u64) -> Option<Duration> {
    Some(Duration::from_millis(longest))
}

/// `max_wait = ".."`, read at compile time.
#[must_use]
pub const fn wait_nanos(longest: u64) -> Option<Duration> {
    Some(Duration::from_nanos(longest))
}

/// `max_wait = ..`, of a `Duration`.
#[must_use]
pub const fn wait_span(longest: Duration) -> Option<Duration> {
    Some(longest)
}

/// `max_waiters = ..`.
#[must_use]
pub const fn waiters(most: u32) -> Option<u32> {
    Some(most)
}

/// The turn of a call in the line of a limiter.
pub fn wait<C: Clock>(limiter: &Limiter<C>, cost: u32, _: Waiting) -> Acquire<'_, C> {
    Acquire::decided(limiter.try_acquire_n(cost))
}

/// The turn of a call in the line of its key.
pub fn wait_key<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
    cost: u32,
    _: Waiting,
) -> Acquire<'l, C> {
    Acquire::decided(limiter.try_acquire_n(key, cost))
}

/// The same by limits that come with the call.
pub fn wait_key_for<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
    limits: &CallLimits,
    cost: u32,
    _: Waiting,
) -> Acquire<'l, C> {
    Acquire::decided(match limits.get() {
        Ok(limits) => limiter.try_acquire_for(key, limits, cost),
        Err(why) => Err(limiter.misconfigured_call(why)),
    })
}

/// What a turn that nobody needs the permit of has come to: `None` admits.
#[must_use]
#[inline]
pub fn refused<C>(decided: Result<Permit<'_, C>, RateLimitExceeded>) -> Option<RateLimitExceeded> {
    decided.err()
}

//! `wait`, `max_wait`, `max_waiters`: the guard of a function whose calls wait for their turn.

use std::{hash::Hash, time::Duration};

use super::CallLimits;
use crate::{clock::Clock, error::RateLimitExceeded, keyed::KeyedLimiter, limiter::Limiter, line::Acquire};

/// How long the calls of a function wait, and behind how many.
#[derive(Clone, Copy)]
pub struct Waiting {
    longest: Option<Duration>,
    most: Option<u32>,
}

/// Without a value there is no bound.
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

impl Waiting {
    fn of<C>(self, acquire: Acquire<'_, C>) -> Acquire<'_, C> {
        let acquire = match self.longest {
            Some(longest) => acquire.within(longest),
            None => acquire,
        };
        match self.most {
            Some(most) => acquire.max_waiters(usize::try_from(most).unwrap_or(usize::MAX)),
            None => acquire,
        }
    }
}

/// The turn of a call.
pub fn wait<C: Clock>(limiter: &Limiter<C>, cost: u32, waiting: Waiting) -> Acquire<'_, C> {
    waiting.of(limiter.acquire().cost(cost))
}

/// The turn of a call of a function with `key = ..`. The key is let go before anybody waits.
pub fn wait_key<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
    cost: u32,
    waiting: Waiting,
) -> Acquire<'l, C> {
    waiting.of(limiter.acquire(key).cost(cost))
}

/// The turn of a call of a function with `key = ..` and `limit_for = ..`.
pub fn wait_key_for<'l, C: Clock, K: Hash + ?Sized>(
    limiter: &'l KeyedLimiter<C>,
    key: &K,
    limits: &CallLimits,
    cost: u32,
    waiting: Waiting,
) -> Acquire<'l, C> {
    match limits.get() {
        Ok(limits) => waiting.of(limiter.acquire_for(key, limits).cost(cost)),
        Err(why) => limiter.acquire(key).refused(limiter.misconfigured_call(why)),
    }
}

/// What has come of the turn of a call whose permit nobody looks at: `None` admits.
#[inline]
#[must_use]
pub fn refused<P>(decided: Result<P, RateLimitExceeded>) -> Option<RateLimitExceeded> {
    decided.err()
}

/// The turn of a call of a function with `store = ..`.
#[cfg(feature = "redis")]
pub fn wait_call(call: super::SharedCall<'_>, waiting: Waiting) -> crate::store::SharedAcquire<'_> {
    let acquire = call.acquire();
    let acquire = match waiting.longest {
        Some(longest) => acquire.within(longest),
        None => acquire,
    };
    match waiting.most {
        Some(most) => acquire.max_waiters(usize::try_from(most).unwrap_or(usize::MAX)),
        None => acquire,
    }
}

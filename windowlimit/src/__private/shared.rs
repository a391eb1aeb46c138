//! `store = EXPR`: a window that processes share.

use std::ops::Deref;

use super::{CallLimits, IntoLimits};
pub use crate::store::{OnStoreError, SharedLimiter, SharedPermit, StoreKey};
use crate::{
    error::RateLimitExceeded,
    limit::{InvalidLimit, Limit},
    limits::Limits,
    store::{Call, RedisStore, SharedAcquire, SharedLimiterBuilder},
};

/// A [`RedisStore`], or something that refers to one.
#[diagnostic::on_unimplemented(
    message = "`store` needs a `RedisStore`, and `{Self}` is none",
    label = "neither a `RedisStore` nor a reference to one"
)]
pub trait Store {
    /// The store.
    fn store(&self) -> &RedisStore;
}

impl Store for RedisStore {
    fn store(&self) -> &RedisStore {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Deref<Target: Store> + ?Sized> Store for T {
    fn store(&self) -> &RedisStore {
        (**self).store()
    }
}

/// `store = EXPR, name = ..`.
pub fn shared<S: Store + ?Sized>(store: &S, name: &'static str) -> SharedLimiterBuilder {
    SharedLimiter::builder(store.store(), name)
}

/// The limiter of a function with these limits; one that refuses every call where they are none.
#[track_caller]
pub fn shared_limiter(builder: SharedLimiterBuilder, limits: impl IntoLimits) -> SharedLimiter {
    let limits = match limits.into_limits() {
        Ok(limits) => Limits::shared(&limits),
        Err(why) => Limits::invalid(why),
    };
    SharedLimiter::of(builder, limits).unseen()
}

/// The limiter of a function with `limit_for = ..`. Of this limit only the window matters: none is longer.
#[must_use]
#[track_caller]
pub fn shared_limiter_for(
    builder: SharedLimiterBuilder,
    longest: Result<Limit, InvalidLimit>,
) -> SharedLimiter {
    let limiter = match longest {
        Ok(limit) => {
            SharedLimiter::of(builder.longest(limit.window()), Limits::invalid(InvalidLimit::NO_LIMIT))
        }
        Err(why) => SharedLimiter::of(builder, Limits::invalid(why)),
    };
    limiter.unseen()
}

/// Borrows a key, if it has a text.
#[inline]
#[must_use]
pub fn store_key<K: StoreKey + ?Sized>(key: &K) -> &K {
    key
}

/// A call that is to be decided on, or cannot be.
#[must_use]
pub struct SharedCall<'l>(Result<Call<'l>, RateLimitExceeded>);

/// The call of a function that has `key = ..` or none.
pub fn shared_call<K: StoreKey + ?Sized>(
    limiter: &'static SharedLimiter,
    key: &K,
    cost: u32,
) -> SharedCall<'static> {
    limiter.meet();
    SharedCall(Ok(Call::new(limiter, key, cost)))
}

/// The call of a function that has `limit_for = ..`.
pub fn shared_call_for<K: StoreKey + ?Sized>(
    limiter: &'static SharedLimiter,
    key: &K,
    limits: &CallLimits,
    cost: u32,
) -> SharedCall<'static> {
    limiter.meet();
    SharedCall(match limits.get() {
        Ok(limits) => Ok(Call::new(limiter, key, cost).with_limits(limits)),
        Err(why) => Err(limiter.misconfigured_call(why)),
    })
}

impl<'l> SharedCall<'l> {
    pub(super) fn acquire(self) -> SharedAcquire<'l> {
        self.0.map_or_else(SharedAcquire::refused, SharedAcquire::new)
    }
}

/// The guard of a plain function. It blocks the thread until the store has answered.
pub fn check_call(SharedCall(call): SharedCall<'_>) -> Option<RateLimitExceeded> {
    call.and_then(Call::decide).err()
}

/// The guard of an async function.
pub async fn check_call_async(SharedCall(call): SharedCall<'_>) -> Option<RateLimitExceeded> {
    match call {
        Ok(call) => call.decide_async().await.err(),
        Err(refusal) => Some(refusal),
    }
}

/// As [`check_call`], for a function that looks at its permit.
pub fn admit_call(SharedCall(call): SharedCall<'_>) -> Result<SharedPermit<'_>, RateLimitExceeded> {
    call.and_then(|call| call.with_receipt().decide())
}

/// As [`check_call_async`], for a function that looks at its permit.
pub async fn admit_call_async(
    SharedCall(call): SharedCall<'_>,
) -> Result<SharedPermit<'_>, RateLimitExceeded> {
    call?.with_receipt().decide_async().await
}

/// The permit of a call that is not counted.
pub fn uncounted_shared(limiter: &SharedLimiter) -> SharedPermit<'_> {
    limiter.uncounted()
}

//! The ways to ask several limiters: plain and async, with a permit or without.

use std::{borrow::Borrow, future::Future};

use super::{Together, decision::Calls, keys::TogetherKeys, permit::TogetherPermit};
use crate::{
    error::RateLimitExceeded,
    limit::Limit,
    store::{call::Call, limiter::SharedLimiter},
};

/// Plain calls. Each blocks the thread until the server has answered, for the store's deadline at most; in an async function
/// that holds up other tasks, and its async twin does not.
impl<const N: usize, L: Borrow<SharedLimiter>> Together<N, L> {
    /// Admits one call of these keys, in the order of the limiters, and takes one unit of every limit of each; or refuses it
    /// and takes nothing.
    ///
    /// # Errors
    ///
    /// The refusal by the limit that has room last, with the time after which the same call would be admitted.
    pub fn check<K: TogetherKeys<N>>(&self, keys: K) -> Result<(), RateLimitExceeded> {
        self.check_n(keys, 1)
    }

    /// The same of a call that takes so many units of each limiter.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check). One that can never fit has no retry time.
    pub fn check_n<K: TogetherKeys<N>>(&self, keys: K, cost: u32) -> Result<(), RateLimitExceeded> {
        self.check_each(keys, [cost; N])
    }

    /// The same of a call that takes of each limiter another number of units: one of those that count requests, say, and a
    /// thousand of those that count bytes.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_each<K: TogetherKeys<N>>(&self, keys: K, costs: [u32; N]) -> Result<(), RateLimitExceeded> {
        self.calls(&keys, &[None; N], costs, false).decide().map(drop)
    }

    /// The same under limits of the call's own, such as those of a customer's plan, of those limiters for which there are
    /// any. None may have a longer window than the [longest](crate::SharedLimiterBuilder::longest).
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_for<K: TogetherKeys<N>>(
        &self,
        keys: K,
        limits: [Option<&[Limit]>; N],
        costs: [u32; N],
    ) -> Result<(), RateLimitExceeded> {
        self.calls(&keys, &limits, costs, false).decide().map(drop)
    }

    /// As [`check`](Self::check), and says what is left.
    ///
    /// ```no_run
    /// # use windowlimit::{RateLimitExceeded, Together};
    /// # fn password_is_right() -> bool { true }
    /// fn log_in(logins: &Together<2>, user: &str, address: &str) -> Result<bool, RateLimitExceeded> {
    ///     let guess = logins.try_acquire((user, address))?;
    ///     let is_right = password_is_right();
    ///     if is_right {
    ///         guess.refund(); // only those that fail count, for the user and for the address
    ///     }
    ///     Ok(is_right)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn try_acquire<K: TogetherKeys<N>>(&self, keys: K) -> Result<TogetherPermit<'_>, RateLimitExceeded> {
        self.try_acquire_n(keys, 1)
    }

    /// As [`check_n`](Self::check_n), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_n<K: TogetherKeys<N>>(
        &self,
        keys: K,
        cost: u32,
    ) -> Result<TogetherPermit<'_>, RateLimitExceeded> {
        self.try_acquire_each(keys, [cost; N])
    }

    /// As [`check_each`](Self::check_each), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_each<K: TogetherKeys<N>>(
        &self,
        keys: K,
        costs: [u32; N],
    ) -> Result<TogetherPermit<'_>, RateLimitExceeded> {
        self.calls(&keys, &[None; N], costs, true).decide().map(TogetherPermit::new)
    }

    /// As [`check_for`](Self::check_for), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_for<K: TogetherKeys<N>>(
        &self,
        keys: K,
        limits: [Option<&[Limit]>; N],
        costs: [u32; N],
    ) -> Result<TogetherPermit<'_>, RateLimitExceeded> {
        self.calls(&keys, &limits, costs, true).decide().map(TogetherPermit::new)
    }
}

/// Async calls. Each is asked about when its future is first polled, and blocks no thread.
impl<const N: usize, L: Borrow<SharedLimiter>> Together<N, L> {
    /// [`check`](Self::check), async.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn check_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'_, N, L, K> {
        self.check_n_async(keys, 1)
    }

    /// [`check_n`](Self::check_n), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_n_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
        cost: u32,
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'_, N, L, K> {
        self.check_each_async(keys, [cost; N])
    }

    /// [`check_each`](Self::check_each), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_each_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
        costs: [u32; N],
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'_, N, L, K> {
        let calls = self.calls(&keys, &[None; N], costs, false);
        async { calls.decide_async().await.map(drop) }
    }

    /// [`check_for`](Self::check_for), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_for_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
        limits: [Option<&[Limit]>; N],
        costs: [u32; N],
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'_, N, L, K> {
        let calls = self.calls(&keys, &limits, costs, false);
        async { calls.decide_async().await.map(drop) }
    }

    /// [`try_acquire`](Self::try_acquire), async.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn try_acquire_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
    ) -> impl Future<Output = Result<TogetherPermit<'_>, RateLimitExceeded>> + Send + use<'_, N, L, K> {
        self.try_acquire_n_async(keys, 1)
    }

    /// [`try_acquire_n`](Self::try_acquire_n), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_n_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
        cost: u32,
    ) -> impl Future<Output = Result<TogetherPermit<'_>, RateLimitExceeded>> + Send + use<'_, N, L, K> {
        self.try_acquire_each_async(keys, [cost; N])
    }

    /// [`try_acquire_each`](Self::try_acquire_each), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_each_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
        costs: [u32; N],
    ) -> impl Future<Output = Result<TogetherPermit<'_>, RateLimitExceeded>> + Send + use<'_, N, L, K> {
        let calls = self.calls(&keys, &[None; N], costs, true);
        async { calls.decide_async().await.map(TogetherPermit::new) }
    }

    /// [`try_acquire_for`](Self::try_acquire_for), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_for_async<K: TogetherKeys<N>>(
        &self,
        keys: K,
        limits: [Option<&[Limit]>; N],
        costs: [u32; N],
    ) -> impl Future<Output = Result<TogetherPermit<'_>, RateLimitExceeded>> + Send + use<'_, N, L, K> {
        let calls = self.calls(&keys, &limits, costs, true);
        async { calls.decide_async().await.map(TogetherPermit::new) }
    }
}

impl<const N: usize, L: Borrow<SharedLimiter>> Together<N, L> {
    fn calls<K: TogetherKeys<N>>(
        &self,
        keys: &K,
        limits: &[Option<&[Limit]>; N],
        costs: [u32; N],
        has_receipt: bool,
    ) -> Calls<'_> {
        let parts = self.limiters().into_iter().zip(keys.texts()).zip(limits.iter().zip(costs));
        let each = parts.map(|((limiter, key), (limits, cost))| Call {
            limiter,
            key,
            limits: limits.map(Into::into),
            cost,
            has_receipt,
        });
        Calls { store: &self.store, each: each.collect(), has_receipt }
    }
}

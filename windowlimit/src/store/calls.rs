//! The ways to ask a shared limiter: plain and async, with a permit or without.

use std::future::Future;

use super::{
    call::{Call, TELL, usage},
    error::StoreError,
    key::{KeyText, StoreKey},
    limiter::SharedLimiter,
    permit::{SharedPermit, Source},
    question::{Ask, Question},
};
use crate::{error::RateLimitExceeded, limit::Limit, usage::Usage, watch::Outcome};

/// Plain calls. Each blocks the thread until the server has answered, for the store's deadline at most; in an async function
/// that holds up other tasks, and its async twin does not.
impl SharedLimiter {
    /// Admits one call of this key and takes one unit of every limit, or refuses it and takes nothing.
    ///
    /// # Errors
    ///
    /// The refusal, with the time after which the same call would be admitted.
    pub fn check<K: StoreKey + ?Sized>(&self, key: &K) -> Result<(), RateLimitExceeded> {
        self.check_n(key, 1)
    }

    /// The same of a call that takes so many units, all of them or none. In an exact window, a million at most.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check). One that can never fit has no retry time.
    pub fn check_n<K: StoreKey + ?Sized>(&self, key: &K, cost: u32) -> Result<(), RateLimitExceeded> {
        Call::new(self, key, cost).decide().map(drop)
    }

    /// The same under limits of the call's own: those of a customer's plan. None may have a longer window than the
    /// [longest](crate::SharedLimiterBuilder::longest).
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_for<K: StoreKey + ?Sized>(
        &self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> Result<(), RateLimitExceeded> {
        Call::new(self, key, cost).with_limits(limits).decide().map(drop)
    }

    /// As [`check`](Self::check), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn try_acquire<K: StoreKey + ?Sized>(&self, key: &K) -> Result<SharedPermit<'_>, RateLimitExceeded> {
        self.try_acquire_n(key, 1)
    }

    /// As [`check_n`](Self::check_n), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_n<K: StoreKey + ?Sized>(
        &self,
        key: &K,
        cost: u32,
    ) -> Result<SharedPermit<'_>, RateLimitExceeded> {
        Call::new(self, key, cost).with_receipt().decide()
    }

    /// As [`check_for`](Self::check_for), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_for`](Self::check_for).
    pub fn try_acquire_for<K: StoreKey + ?Sized>(
        &self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> Result<SharedPermit<'_>, RateLimitExceeded> {
        Call::new(self, key, cost).with_limits(limits).with_receipt().decide()
    }

    /// How full the window of this key is now, to all processes; of several limits, the one with the least left.
    ///
    /// # Errors
    ///
    /// The store cannot be asked.
    pub fn usage<K: StoreKey + ?Sized>(&self, key: &K) -> Result<Usage, StoreError> {
        let limits = self.limits();
        let question = self.question(&KeyText::of(key), &limits, 0, TELL);
        self.store().ask(question).wait().map(|numbers| read_usage(&limits, &numbers))
    }

    /// Forgets every admission of this key, in all processes.
    ///
    /// # Errors
    ///
    /// The store cannot be asked, and may or may not have forgotten.
    pub fn reset<K: StoreKey + ?Sized>(&self, key: &K) -> Result<(), StoreError> {
        let key = KeyText::of(key);
        let answer = self.forget(&key).wait();
        self.forget_refusals(&key);
        answer.map(drop)
    }
}

/// Async calls. Each is asked about when its future is first polled, and blocks no thread.
impl SharedLimiter {
    /// [`check`](Self::check), async.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn check_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'l, K> {
        self.check_n_async(key, 1)
    }

    /// [`check_n`](Self::check_n), async.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn check_n_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
        cost: u32,
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'l, K> {
        let call = Call::new(self, key, cost);
        async { call.decide_async().await.map(drop) }
    }

    /// [`check_for`](Self::check_for), async.
    ///
    /// # Errors
    ///
    /// As [`check_for`](Self::check_for).
    pub fn check_for_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> impl Future<Output = Result<(), RateLimitExceeded>> + Send + use<'l, K> {
        let call = Call::new(self, key, cost).with_limits(limits);
        async { call.decide_async().await.map(drop) }
    }

    /// [`try_acquire`](Self::try_acquire), async.
    ///
    /// # Errors
    ///
    /// As [`try_acquire`](Self::try_acquire).
    pub fn try_acquire_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
    ) -> impl Future<Output = Result<SharedPermit<'l>, RateLimitExceeded>> + Send + use<'l, K> {
        self.try_acquire_n_async(key, 1)
    }

    /// [`try_acquire_n`](Self::try_acquire_n), async.
    ///
    /// # Errors
    ///
    /// As [`try_acquire_n`](Self::try_acquire_n).
    pub fn try_acquire_n_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
        cost: u32,
    ) -> impl Future<Output = Result<SharedPermit<'l>, RateLimitExceeded>> + Send + use<'l, K> {
        Call::new(self, key, cost).with_receipt().decide_async()
    }

    /// [`try_acquire_for`](Self::try_acquire_for), async.
    ///
    /// # Errors
    ///
    /// As [`try_acquire_for`](Self::try_acquire_for).
    pub fn try_acquire_for_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> impl Future<Output = Result<SharedPermit<'l>, RateLimitExceeded>> + Send + use<'l, K> {
        Call::new(self, key, cost).with_limits(limits).with_receipt().decide_async()
    }

    /// [`usage`](Self::usage), async.
    ///
    /// # Errors
    ///
    /// As [`usage`](Self::usage).
    pub fn usage_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
    ) -> impl Future<Output = Result<Usage, StoreError>> + Send + use<'l, K> {
        let key = KeyText::of(key);
        async move {
            let limits = self.limits();
            let numbers = self.store().ask(self.question(&key, &limits, 0, TELL)).answer().await?;
            Ok(read_usage(&limits, &numbers))
        }
    }

    /// [`reset`](Self::reset), async.
    ///
    /// # Errors
    ///
    /// As [`reset`](Self::reset).
    pub fn reset_async<'l, K: StoreKey + ?Sized>(
        &'l self,
        key: &K,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<'l, K> {
        let key = KeyText::of(key);
        async move {
            let answer = self.forget(&key).answer().await;
            self.forget_refusals(&key);
            answer.map(drop)
        }
    }
}

impl SharedLimiter {
    /// The permit of a call that is not counted, about which nobody has been asked.
    pub(crate) fn uncounted(&self) -> SharedPermit<'_> {
        SharedPermit { limiter: self, usage: usage(&self.limits(), &[]), cost: 0, source: Source::Uncounted }
    }

    /// A refusal of a call whose own limits are none.
    pub(crate) fn misconfigured_call(&self, why: crate::InvalidLimit) -> RateLimitExceeded {
        let refusal = RateLimitExceeded::misconfigured(self.name, why);
        self.note(Outcome::Refused(&refusal));
        refusal
    }

    fn forget(&self, key: &KeyText) -> super::store::Asked {
        self.local.remove(key);
        self.store().ask(Question { key: self.store_key(key), ask: Ask::Forget })
    }
}

/// Of an answer of [`TELL`].
fn read_usage(limits: &[Limit], numbers: &[i64]) -> Usage {
    usage(limits, numbers.get(2..).unwrap_or_default())
}

//! Which window a request is decided by.

use std::{fmt, hash::Hash, ops::Deref};

use crate::{
    clock::Clock, error::RateLimitExceeded, keyed::KeyedLimiter, limiter::Limiter, web::RateLimitFields,
};

/// What decides requests: [`Whole`] or [`ByKey`].
pub trait Decide<Req>: sealed::Sealed {
    /// Admits the request or refuses it.
    ///
    /// # Errors
    ///
    /// The refusal.
    fn check(&self, request: &Req) -> Result<(), RateLimitExceeded>;

    /// The same, and says what is left.
    ///
    /// # Errors
    ///
    /// The refusal.
    fn acquire(&self, request: &Req) -> Result<RateLimitFields, RateLimitExceeded>;
}

/// One window for all requests: what [`WindowLimitLayer::new`](crate::WindowLimitLayer::new) makes.
#[derive(Clone)]
pub struct Whole<L>(pub(super) L);

/// A window for each key: what [`WindowLimitLayer::keyed`](crate::WindowLimitLayer::keyed) makes.
#[derive(Clone)]
pub struct ByKey<L, F>(pub(super) L, pub(super) F);

impl<Req, C: Clock, L: Deref<Target = Limiter<C>>> Decide<Req> for Whole<L> {
    fn check(&self, _: &Req) -> Result<(), RateLimitExceeded> {
        self.0.check()
    }

    fn acquire(&self, _: &Req) -> Result<RateLimitFields, RateLimitExceeded> {
        self.0.try_acquire().map(|permit| RateLimitFields::from(&permit))
    }
}

impl<Req, C, L, K, F> Decide<Req> for ByKey<L, F>
where
    C: Clock,
    L: Deref<Target = KeyedLimiter<C>>,
    K: Hash,
    F: Fn(&Req) -> K,
{
    fn check(&self, request: &Req) -> Result<(), RateLimitExceeded> {
        let Self(limiter, key) = self;
        limiter.check(&key(request))
    }

    fn acquire(&self, request: &Req) -> Result<RateLimitFields, RateLimitExceeded> {
        let Self(limiter, key) = self;
        limiter.try_acquire(&key(request)).map(|permit| RateLimitFields::from(&permit))
    }
}

impl<C, L: Deref<Target = Limiter<C>>> fmt::Debug for Whole<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Whole").field(&self.0.name()).finish()
    }
}

impl<C, L: Deref<Target = KeyedLimiter<C>>, F> fmt::Debug for ByKey<L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ByKey").field(&self.0.name()).finish_non_exhaustive()
    }
}

mod sealed {
    pub trait Sealed {}
    impl<L> Sealed for super::Whole<L> {}
    impl<L, F> Sealed for super::ByKey<L, F> {}
}

//! Making a limiter from values that are known at run time only.

use std::borrow::Cow;

use super::Limiter;
use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    limit::{InvalidLimit, Limit},
    limits::Limits,
    name::interned,
};

/// Makes a [`Limiter`] from values that are known at run time only.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct LimiterBuilder<C = SystemClock> {
    name: &'static str,
    limits: Vec<Limit>,
    algorithm: Algorithm,
    max_waiters: usize,
    clock: C,
}

impl LimiterBuilder {
    pub(super) const fn new() -> Self {
        Self {
            name: "limiter",
            limits: Vec::new(),
            algorithm: Algorithm::Exact,
            max_waiters: usize::MAX,
            clock: SystemClock,
        }
    }
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

    /// Another kind of window than the exact one.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// How many calls may wait in line at once; without it there is no bound.
    pub fn max_waiters(self, max_waiters: usize) -> Self {
        Self { max_waiters, ..self }
    }

    /// Another clock than the operating system's.
    pub fn clock<D: Clock>(self, clock: D) -> LimiterBuilder<D> {
        let Self { name, limits, algorithm, max_waiters, .. } = self;
        LimiterBuilder { name, limits, algorithm, max_waiters, clock }
    }

    /// The limiter, with an empty window.
    ///
    /// # Errors
    ///
    /// No limit was given, or a window of no segments or of too many.
    #[track_caller]
    pub fn build(self) -> Result<Limiter<C>, InvalidLimit> {
        let limits = Limits::shared(&self.limits);
        limits.fault().map_or(Ok(()), Err)?;
        for limit in &self.limits {
            self.algorithm.segment(limit)?;
        }
        let limiter = Limiter::from_parts(self.name, limits, self.clock);
        Ok(limiter.with_algorithm(self.algorithm).with_max_waiters(self.max_waiters))
    }
}

//! Making a keyed limiter at run time.

use std::{borrow::Cow, time::Duration};

use super::{KeyedLimiter, MAX_KEYS};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    limit::{InvalidLimit, Limit},
    limits::Limits,
    name::interned,
};

/// Makes a [`KeyedLimiter`] from values that are known at run time only.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct KeyedLimiterBuilder<C = SystemClock> {
    name: &'static str,
    limits: Vec<Limit>,
    longest: Option<Duration>,
    algorithm: Algorithm,
    max_keys: usize,
    max_waiters: usize,
    clock: C,
}

impl KeyedLimiterBuilder {
    pub(super) fn new() -> Self {
        Self {
            name: "limiter",
            limits: Vec::new(),
            longest: None,
            algorithm: Algorithm::Exact,
            max_keys: MAX_KEYS,
            max_waiters: usize::MAX,
            clock: SystemClock,
        }
    }
}

impl<C> KeyedLimiterBuilder<C> {
    /// What refusals call the limiter; `limiter` if it has no name. A name that is made at run time is kept, once, for the
    /// life of the process.
    pub fn name(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: interned(name.into()), ..self }
    }

    /// One limit more for each key.
    pub fn limit(self, limit: Limit) -> Self {
        self.limits([limit])
    }

    /// Some limits more for each key.
    pub fn limits(mut self, limits: impl IntoIterator<Item = Limit>) -> Self {
        self.limits.extend(limits);
        self
    }

    /// The longest window of limits that come with a call ([`check_for`](KeyedLimiter::check_for)): history is kept for so
    /// long, or for the longest of the limits that are given here.
    pub fn longest(self, window: Duration) -> Self {
        Self { longest: Some(window), ..self }
    }

    /// Another kind of window than the exact one.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The most keys that are held at once; a million unless it is told otherwise. With 0, every call is refused.
    pub fn max_keys(self, max_keys: usize) -> Self {
        Self { max_keys, ..self }
    }

    /// How many calls may wait in the line of a key at once; without it there is no bound.
    pub fn max_waiters(self, max_waiters: usize) -> Self {
        Self { max_waiters, ..self }
    }

    /// Another clock than the operating system's.
    pub fn clock<D: Clock>(self, clock: D) -> KeyedLimiterBuilder<D> {
        let Self { name, limits, longest, algorithm, max_keys, max_waiters, clock: _ } = self;
        KeyedLimiterBuilder { name, limits, longest, algorithm, max_keys, max_waiters, clock }
    }

    /// The limiter, without any key.
    ///
    /// # Errors
    ///
    /// Neither a limit nor the longest window was given, or a window of zero, of no segments or of too many.
    #[track_caller]
    pub fn build(self) -> Result<KeyedLimiter<C>, InvalidLimit> {
        let longest = self.longest.map(|window| Limit::new(0, window)).transpose()?;
        let limits = Limits::shared(&self.limits);
        if let (Some(why), None) = (limits.fault(), longest) {
            return Err(why);
        }
        for limit in &self.limits {
            self.algorithm.segment(limit)?;
        }
        let longest = longest.map_or(0, |limit| limit.nanos()).max(limits.longest());
        let limiter = KeyedLimiter::from_parts(self.name, limits, longest, self.clock);
        Ok(limiter
            .with_algorithm(self.algorithm)
            .with_max_keys(self.max_keys)
            .with_max_waiters(self.max_waiters))
    }
}

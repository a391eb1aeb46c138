//! One limiter, as it is listed.

use std::{fmt, hash::Hash, sync::Arc};

use crate::{
    algorithm::Algorithm,
    clock::Clock,
    keyed::{Digest, KeyedLimiter},
    limit::Limit,
    limiter::Limiter,
    usage::Usage,
    watch::{Counts, Held, Mode},
};

/// A limiter that has been used: what it is called, where it was made, and how it is now.
///
/// It is made from a limiter for [`register`](super::Registry::register).
///
/// # Concurrency
///
/// Each answer is of the moment at which it is asked for. Nothing is held back by asking.
#[derive(Clone)]
pub struct Listed {
    pub(super) held: Held,
    pub(super) problem: Option<String>,
}

impl Listed {
    /// The name: the module path and name of the function, unless it was given another.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.held.get().name()
    }

    /// The source file in which the attribute stands, or in which the limiter was made.
    #[must_use]
    pub fn file(&self) -> &'static str {
        self.held.get().watch().place().file()
    }

    /// The line in that file, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.held.get().watch().place().line()
    }

    pub(super) fn column(&self) -> u32 {
        self.held.get().watch().place().column()
    }

    /// The limits as they are now, of each key if there are keys; none if they come with each call, or if it is
    /// misconfigured.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        self.held.get().limits()
    }

    /// The limits that it was made with.
    #[must_use]
    pub fn declared_limits(&self) -> Vec<Limit> {
        self.held.get().declared()
    }

    /// The kind of window.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.held.get().algorithm()
    }

    /// What becomes of its calls.
    #[must_use]
    pub fn mode(&self) -> Mode {
        Mode::of(self.held.get().gate())
    }

    /// How full the window is now, or `None` if there is one for each key, or if it is on a store.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.held.get().usage()
    }

    /// How many keys are held, or `None` if there is a single window. Some of them may be idle. Of a limiter whose windows are
    /// on a store, these are the keys that this process knows, for when it has to do without.
    #[must_use]
    pub fn keys(&self) -> Option<usize> {
        self.held.get().keys()
    }

    /// How many calls were admitted and refused, from the first on.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.held.get().tally().counts()
    }

    /// How many calls were decided without the store that the windows are on, by what stands in for it; `None` if they are in
    /// this process.
    #[must_use]
    pub fn degraded(&self) -> Option<u64> {
        self.held.get().degraded()
    }

    /// The store that the windows are on, which tells of [its state](crate::RedisStore::state), and why it could not be
    /// asked [last](crate::RedisStore::last_error); `None` if they are in this process.
    #[cfg(feature = "redis")]
    #[must_use]
    pub fn store(&self) -> Option<crate::RedisStore> {
        self.held.get().store().cloned()
    }

    /// So many keys with the most live units, the fullest first; none of a limiter whose windows are on a store.
    ///
    /// A key is not shown: what names it here is a hash of it under the secret of the process. Compare it with the
    /// [`KeyTag`] of a key that you know.
    ///
    /// ```
    /// use windowlimit::{KeyedLimiter, Limit, registry, registry::KeyTag};
    ///
    /// static SEARCHES: KeyedLimiter = KeyedLimiter::new("searches", Limit::per_hour(100));
    /// registry().register(&SEARCHES);
    ///
    /// for _ in 0..30 {
    ///     let _ = SEARCHES.check("ann");
    /// }
    /// let _ = SEARCHES.check("bob");
    /// let heaviest = registry().named("searches")[0].heaviest(1);
    /// assert_eq!(heaviest[0].tag(), KeyTag::of("ann"));
    /// assert_eq!(heaviest[0].usage().live(), 30);
    /// ```
    ///
    /// # Cost
    ///
    /// It looks at every key, some tens of nanoseconds each. The keys are in many shards; calls of keys in the one that is
    /// being looked at, two thousand keys at most unless the limiter holds millions, wait for it. (The first time, those of up to
    /// two thousand keys are spread over all shards.)
    #[must_use]
    pub fn heaviest(&self, most: usize) -> Vec<HeavyKey> {
        let heaviest = self.held.get().heaviest(most).into_iter();
        heaviest.map(|heavy| HeavyKey { tag: KeyTag(heavy.tag), usage: heavy.usage }).collect()
    }

    /// Why it does not have the limits that were asked for its name before it was first called.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

impl fmt::Debug for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listed")
            .field("name", &self.name())
            .field("place", &format_args!("{}:{}", self.file(), self.line()))
            .field("limits", &self.limits())
            .field("algorithm", &self.algorithm())
            .field("mode", &self.mode())
            .field("usage", &self.usage())
            .field("keys", &self.keys())
            .field("counts", &self.counts())
            .field("degraded", &self.degraded())
            .finish_non_exhaustive()
    }
}

impl<C: Clock + Send + Sync> From<&'static Limiter<C>> for Listed {
    fn from(limiter: &'static Limiter<C>) -> Self {
        Self { held: Held::Static(limiter), problem: None }
    }
}

impl<C: Clock + Send + Sync> From<&'static KeyedLimiter<C>> for Listed {
    fn from(limiter: &'static KeyedLimiter<C>) -> Self {
        Self { held: Held::Static(limiter), problem: None }
    }
}

impl<C: Clock + Send + Sync + 'static> From<&Arc<Limiter<C>>> for Listed {
    fn from(limiter: &Arc<Limiter<C>>) -> Self {
        Self { held: Held::Shared(limiter.clone()), problem: None }
    }
}

impl<C: Clock + Send + Sync + 'static> From<&Arc<KeyedLimiter<C>>> for Listed {
    fn from(limiter: &Arc<KeyedLimiter<C>>) -> Self {
        Self { held: Held::Shared(limiter.clone()), problem: None }
    }
}

#[cfg(feature = "redis")]
impl From<&'static crate::SharedLimiter> for Listed {
    fn from(limiter: &'static crate::SharedLimiter) -> Self {
        Self { held: Held::Static(limiter), problem: None }
    }
}

#[cfg(feature = "redis")]
impl From<&Arc<crate::SharedLimiter>> for Listed {
    fn from(limiter: &Arc<crate::SharedLimiter>) -> Self {
        Self { held: Held::Shared(limiter.clone()), problem: None }
    }
}

/// A key of a [`KeyedLimiter`] and how full its window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeavyKey {
    tag: KeyTag,
    usage: Usage,
}

impl HeavyKey {
    /// What names the key.
    #[must_use]
    pub const fn tag(&self) -> KeyTag {
        self.tag
    }

    /// How full its window is; of several limits, the one with the least left.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage
    }
}

/// What is shown of a key: 128 bits of a keyed hash, the same in all limiters of a process, and others in every process.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyTag(u128);

impl KeyTag {
    /// That of a key.
    #[must_use]
    pub fn of<K: Hash + ?Sized>(key: &K) -> Self {
        Self(Digest::of(key).tag())
    }
}

/// Its digits, thirty-two of sixteen.
impl fmt::Display for KeyTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for KeyTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyTag({self})")
    }
}

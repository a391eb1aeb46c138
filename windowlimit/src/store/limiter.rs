//! The limiter that users hold for windows that are shared.

use std::{borrow::Cow, fmt, sync::Arc, time::Duration};

use super::{policy::OnStoreError, prefix::prefix, store::RedisStore};
use crate::{
    algorithm::Algorithm,
    clock::{ManualClock, SystemClock},
    gate::Gate,
    keyed::KeyedLimiter,
    limit::{InvalidLimit, Limit},
    limits::Limits,
    name::interned,
    sync::{AtomicU64, Latest, Ordering},
    watch::{Tally, Watch},
};

/// A window for each key, shared by all processes that give it one name on one store.
///
/// The attribute makes one for each function that has `store`. By hand it is a field, or a `static` that is made when it is
/// first used:
///
/// ```no_run
/// use std::sync::LazyLock;
/// use windowlimit::{Limit, RedisStore, SharedLimiter};
///
/// static REDIS: LazyLock<RedisStore> =
///     LazyLock::new(|| RedisStore::open("redis://127.0.0.1:6379").expect("the address can be read"));
/// static LOGINS: LazyLock<SharedLimiter> =
///     LazyLock::new(|| SharedLimiter::new(&REDIS, "login", Limit::per_minute(5)));
///
/// # async fn f() -> Result<(), windowlimit::RateLimitExceeded> {
/// LOGINS.check_async("ann").await?; // in an async function
/// LOGINS.check("ann")?; // elsewhere: blocks the thread until the server has answered
/// # Ok(())
/// # }
/// ```
///
/// A single window has the key `&()`.
///
/// # What is promised
///
/// What [`Limiter`](crate::Limiter) promises, in microseconds of the server's clock: no interval of a window's length holds
/// more than N admissions of all processes together, and a call that fits is admitted. Windows are rounded up to
/// microseconds; one beyond 140 years counts as 140 years. If the server's clock goes back, admissions may count for as much
/// longer; by more than two windows, and what it said before is void.
///
/// A name stands for the admissions; limits are each process's own. So they can be changed one process after another: those
/// before and after each keep their limits over the same history. It is kept for the longest window of those who are
/// admitted; where processes have different windows, give each the [`longest`](SharedLimiterBuilder::longest) of them.
///
/// When the store cannot be asked, [`OnStoreError`] decides. Several limiters decide as one
/// [`Together`](crate::Together).
///
/// # Concurrency
///
/// One call of a script on the server, in one round trip. The plain methods block the thread for it, for the store's
/// deadline at most; the async ones do not, and need no particular runtime. An async call is asked about when its future is
/// first polled; one that is dropped while it waits for the answer may have been charged.
///
/// A call that [waits](Self::acquire) for its turn stands in the line of its key in this process, and one that does not is
/// refused while anybody is known to wait there.
pub struct SharedLimiter {
    pub(super) store: RedisStore,
    pub(super) name: &'static str,
    group: Option<&'static str>,
    /// Of its keys on the server.
    pub(super) prefix: Box<[u8]>,
    pub(super) policy: Latest<Policy>,
    pub(super) algorithm: Algorithm,
    pub(super) on_error: OnStoreError,
    pub(super) replicas: u32,
    pub(super) max_waiters: usize,
    /// Stands in for the store.
    pub(super) local: KeyedLimiter,
    degraded: AtomicU64,
    /// Where the instants come from that the scripts decide at, in tests; on the server, its own clock.
    pub(super) instants: Option<Arc<ManualClock>>,
    pub(super) gate: Gate,
    pub(super) watch: Watch,
    pub(super) tally: Tally,
}

/// What holds until the limits are changed.
pub(super) struct Policy {
    pub(super) limits: Limits,
    /// The longest window of any limit, in nanoseconds; also of those that come with a call.
    pub(super) longest: u64,
}

impl SharedLimiter {
    /// A limiter of one limit for each key.
    #[track_caller]
    pub fn new(store: &RedisStore, name: impl Into<Cow<'static, str>>, limit: Limit) -> Self {
        Self::of(Self::builder(store, name), Limits::one(limit))
    }

    /// Starts a limiter of several limits, or with settings.
    ///
    /// ```
    /// use windowlimit::{Limit, OnStoreError, RedisStore, SharedLimiter};
    ///
    /// let store = RedisStore::open("redis://127.0.0.1:6379")?;
    /// let api = SharedLimiter::builder(&store, "api")
    ///     .limit(Limit::per_second(10))
    ///     .limit(Limit::per_hour(1000))
    ///     .on_store_error(OnStoreError::Deny)
    ///     .build()?;
    /// assert_eq!(api.name(), "api");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(store: &RedisStore, name: impl Into<Cow<'static, str>>) -> SharedLimiterBuilder {
        SharedLimiterBuilder {
            store: store.clone(),
            name: interned(name.into()),
            group: None,
            limits: Vec::new(),
            longest: Duration::ZERO,
            algorithm: Algorithm::Exact,
            on_error: OnStoreError::Local,
            replicas: 1,
            max_keys: None,
            max_waiters: usize::MAX,
            instants: None,
        }
    }

    /// Also of limits that are none: it then refuses every call.
    #[track_caller]
    pub(crate) fn of(builder: SharedLimiterBuilder, limits: Limits) -> Self {
        let SharedLimiterBuilder {
            store,
            name,
            group,
            longest,
            algorithm,
            on_error,
            replicas,
            max_keys,
            max_waiters,
            instants,
            ..
        } = builder;
        let longest = Limit::new(0, longest).map_or(0, |limit| limit.nanos()).max(limits.longest());
        let local = Limits::shared(&divided(limits.as_slice(), replicas));
        let local = KeyedLimiter::from_parts(name, local, longest, SystemClock).with_algorithm(algorithm);
        // What comes of a call is told here.
        local.be_silent();
        let local = match max_keys {
            Some(max_keys) => local.with_max_keys(max_keys),
            None => local,
        };
        Self {
            prefix: prefix(store.prefix(), algorithm, group, name),
            store,
            name,
            group,
            policy: Latest::new(Policy { limits, longest }),
            algorithm,
            on_error,
            replicas,
            max_waiters,
            local,
            degraded: AtomicU64::new(0),
            instants,
            gate: Gate::at_first(true, false),
            watch: Watch::new(),
            tally: Tally::new(),
        }
    }

    /// The name, which all processes agree on.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// The group whose windows live together, if it is in one.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        self.group
    }

    /// The store that the windows are on.
    #[must_use]
    pub fn store(&self) -> &RedisStore {
        &self.store
    }

    /// The kind of window.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The limits of this process, in the order they were given; none if they come with each call.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        self.policy.load().limits.as_slice().to_vec()
    }

    /// Keeps these limits from the next decision on, instead of those before, in this process. The history stays: what all
    /// processes have admitted counts for them as well.
    ///
    /// # Errors
    ///
    /// There is no limit among them, or the window cannot have its segments; the limits then stay as they were.
    pub fn set_limits(&self, limits: impl IntoIterator<Item = Limit>) -> Result<(), InvalidLimit> {
        let limits: Vec<Limit> = limits.into_iter().collect();
        let checked = self.checked(&limits)?;
        let turn = self.policy.turn();
        self.local.set_limits(divided(&limits, self.replicas))?;
        let longest = self.policy.load().longest.max(checked.longest());
        self.policy.store(Policy { limits: checked, longest });
        drop(turn);
        self.change_lines(&limits);
        Ok(())
    }

    /// These limits, if it could keep them.
    pub(super) fn checked(&self, limits: &[Limit]) -> Result<Limits, InvalidLimit> {
        let checked = Limits::shared(limits);
        checked.fault().map_or(Ok(()), Err)?;
        for limit in limits {
            super::call::segment(self.algorithm, limit)?;
        }
        Ok(checked)
    }

    /// How many decisions of this limiter were made without the store.
    #[must_use]
    pub fn degraded(&self) -> u64 {
        // Relaxed, both: a count, on which nothing else depends.
        self.degraded.load(Ordering::Relaxed)
    }

    pub(super) fn count_degraded(&self) {
        self.degraded.fetch_add(1, Ordering::Relaxed);
    }
}

/// What one of so many processes may admit by itself; something, where all together may.
pub(super) fn divided(limits: &[Limit], replicas: u32) -> Vec<Limit> {
    let part = |limit: &Limit| {
        let max = (limit.max() / replicas).max(limit.max().min(1));
        Limit::from_nanos(max, limit.nanos()).unwrap_or(*limit)
    };
    limits.iter().map(part).collect()
}

/// Makes a [`SharedLimiter`] of several limits, or with settings.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build`"]
pub struct SharedLimiterBuilder {
    store: RedisStore,
    name: &'static str,
    group: Option<&'static str>,
    limits: Vec<Limit>,
    longest: Duration,
    algorithm: Algorithm,
    on_error: OnStoreError,
    replicas: u32,
    max_keys: Option<usize>,
    max_waiters: usize,
    instants: Option<Arc<ManualClock>>,
}

impl SharedLimiterBuilder {
    /// One limit more.
    pub fn limit(self, limit: Limit) -> Self {
        self.limits([limit])
    }

    /// Some limits more.
    pub fn limits(mut self, limits: impl IntoIterator<Item = Limit>) -> Self {
        self.limits.extend(limits);
        self
    }

    /// The group that it is in, which all processes agree on as they do on the name: the windows of all limiters of a group
    /// live on one server of a cluster, so that they can be decided [`Together`](crate::Together). One that is in none has
    /// its windows spread over all servers.
    ///
    /// A limiter that comes to another group begins anew, with empty windows.
    pub fn group(self, group: impl Into<Cow<'static, str>>) -> Self {
        Self { group: Some(interned(group.into())), ..self }
    }

    /// The longest window that limits of this name have in any process, or that comes with a call: history is kept for so
    /// long, or for the longest of the limits that are given here.
    pub fn longest(self, window: Duration) -> Self {
        Self { longest: window, ..self }
    }

    /// Another kind of window than the exact one. In a segmented one a shared window has 1000 segments at most.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// What happens to a call that the store cannot decide on.
    pub fn on_store_error(self, policy: OnStoreError) -> Self {
        Self { on_error: policy, ..self }
    }

    /// How many processes share the windows: with [`OnStoreError::Local`], without the store each admits that part of the
    /// limit, rounded down, but one at least. One unless it is told otherwise.
    pub fn replicas(self, replicas: u32) -> Self {
        Self { replicas: replicas.max(1), ..self }
    }

    /// The most keys that are held in this process, for when it has to do without the store; a million unless it is told
    /// otherwise. On the server there is no such bound.
    pub fn max_keys(self, max_keys: usize) -> Self {
        Self { max_keys: Some(max_keys), ..self }
    }

    /// The most calls that may wait in the line of a key in this process; there is no bound unless one is set.
    pub fn max_waiters(self, max_waiters: usize) -> Self {
        Self { max_waiters, ..self }
    }

    /// For tests: the scripts decide at this clock's instants instead of the server's, and keys live for an hour.
    #[doc(hidden)]
    pub fn instants(self, clock: Arc<ManualClock>) -> Self {
        Self { instants: Some(clock), ..self }
    }

    /// The limiter. Nothing is asked yet.
    ///
    /// # Errors
    ///
    /// Neither a limit nor the longest window was given, or a window of no segments or of too many.
    #[track_caller]
    pub fn build(self) -> Result<SharedLimiter, InvalidLimit> {
        let limits = Limits::shared(&self.limits);
        if let (Some(why), true) = (limits.fault(), self.longest.is_zero()) {
            return Err(why);
        }
        for limit in &self.limits {
            super::call::segment(self.algorithm, limit)?;
        }
        Ok(SharedLimiter::of(self, limits))
    }
}

impl fmt::Debug for SharedLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedLimiter")
            .field("name", &self.name)
            .field("limits", &self.limits())
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, divided};

    #[test]
    fn a_part_of_a_limit_is_never_nothing() {
        let parts = |max, replicas| divided(&[Limit::per_hour(max)], replicas)[0].max();
        assert_eq!((parts(10, 1), parts(10, 3), parts(10, 20), parts(0, 3)), (10, 3, 1, 0));
    }
}

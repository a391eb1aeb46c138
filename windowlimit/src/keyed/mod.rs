//! The limiter that users hold for a window of each key.

/// What is done with the table of a limiter's kind of window: each kind has a type of its own.
macro_rules! in_table {
    ($limiter:expr, |$table:ident| $done:expr) => {
        match $limiter.algorithm {
            Algorithm::Exact => {
                let $table = &$limiter.exact;
                $done
            }
            Algorithm::Fixed => {
                let $table = &$limiter.fixed;
                $done
            }
            Algorithm::Segmented(_) | Algorithm::SegmentedBy(_) => {
                let $table = &$limiter.segmented;
                $done
            }
        }
    };
}

/// A method of the double that a limiter has in the scope of a test, if it is called in one.
macro_rules! in_scope {
    ($limiter:expr, |$double:ident| $done:expr) => {
        #[cfg(feature = "test-util")]
        if let Some($double) = $limiter.double() {
            return $done;
        }
    };
}

mod builder;
mod changes;
mod decision;
mod digest;
mod gather;
#[cfg(feature = "redis")]
mod judge;
mod policy;
#[allow(unreachable_pub)] // it has models
mod queue;
mod shards;
mod subject;
mod table;
mod tokens;
mod usage;
mod waiting;

use std::{fmt, hash::Hash, time::Duration};

pub use self::builder::KeyedLimiterBuilder;
pub(crate) use self::digest::{Digest, PassThrough};
use self::{policy::Policy, table::Table, waiting::Lines};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    error::RateLimitExceeded,
    gate::Gate,
    limit::{InvalidLimit, Limit},
    limits::Limits,
    permit::Permit,
    sync::{Latest, OnceCell},
    usage::Usage,
    watch::{Inhabited, Tally, Watch},
    window::solo::{Exact, Fixed, Segmented},
};

/// A window for each key: a user, a client's address, a pair of user and action.
///
/// A key is any value that can be hashed, and is only borrowed. Keys are told apart by what they hash: `("a", "bc")` and
/// `("ab", "c")` are two, and so are `"A"` and `"a"`; the empty text is a key like any other.
///
/// ```
/// use windowlimit::{KeyedLimiter, Limit};
///
/// static LOGINS: KeyedLimiter = KeyedLimiter::new("logins", Limit::per_minute(2));
///
/// assert!(LOGINS.check("ann").is_ok() && LOGINS.check("ann").is_ok() && LOGINS.check("ann").is_err());
/// assert!(LOGINS.check("bob").is_ok());
/// assert!(LOGINS.check(&("bob", "from work")).is_ok());
/// ```
///
/// # Memory
///
/// A key takes what a table needs for four words: 37 to 75 bytes, whatever it was, and four for the order in which keys
/// are looked at again. That is all as long as one admission of it counts; up to five add 48 bytes, more than that a list.
/// A key whose admissions have all left is the same as none, and is given back by calls that bring new keys: each looks at
/// a few that have been there for long. There is no thread for it and no timer.
///
/// A key for which calls [wait](Self::acquire) stays as long as they do. Their line takes about a kilobyte, and of its place
/// about a hundred bytes remain for the next: as many as there were lines at once.
///
/// At most [`max_keys`](KeyedLimiterBuilder::max_keys) are held, a million unless it is told otherwise. A new key beyond
/// that is refused with a reason of its own, [`TooManyKeys`](crate::Reason::TooManyKeys); whoever is limited stays so,
/// and nobody gains calls by inventing keys.
///
/// # Concurrency
///
/// Keys live in many shards, each with a lock, which is held while one call is decided and never while code of yours runs,
/// but for the clock: the key is hashed before, and the body runs after it. Calls of keys in different shards do not meet.
///
/// # Security
///
/// What is kept of a key are 128 bits. A key that hashes at most fifteen bytes (a number, a short text) is kept as it is, and
/// no other such key can ever share its window. One of sixteen bytes, or a text of as many, is kept with a secret added;
/// of all others it is a keyed hash ([SipHash](https://en.wikipedia.org/wiki/SipHash)) that is kept. The secrets are drawn once
/// in each process. Two keys share a window only if all bits agree, which nobody can bring about who does not know them.
/// Where a key stands in the table depends on a secret too, so that nobody can choose keys that crowd in one place.
pub struct KeyedLimiter<C = SystemClock> {
    exact: Table<Exact>,
    segmented: Table<Segmented>,
    fixed: Table<Fixed>,
    policy: Latest<Policy>,
    algorithm: Algorithm,
    max_keys: usize,
    gate: Gate,
    max_waiters: usize,
    /// Made by the first call that waits, before it decides.
    lines: OnceCell<Lines>,
    name: &'static str,
    watch: Watch,
    tally: Tally,
    clock: C,
}

/// How many keys a limiter holds at most, unless it is told otherwise.
const MAX_KEYS: usize = 1_000_000;

impl KeyedLimiter {
    /// A limiter of one limit for each key.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, limit: Limit) -> Self {
        Self::from_parts(name, Limits::one(limit), limit.nanos(), SystemClock)
    }

    /// A limiter of several limits for each key. Without any it is misconfigured and refuses every call.
    #[must_use]
    #[track_caller]
    pub const fn all_of(name: &'static str, limits: &'static [Limit]) -> Self {
        let longest = Limits::longest_of(limits);
        Self::from_parts(name, Limits::borrowed(limits), longest, SystemClock)
    }

    /// A limiter whose limits come with each call, by [`check_for`](Self::check_for): those of a customer's plan. No window
    /// may be longer than this one; history is kept for so long.
    ///
    /// ```
    /// use std::time::Duration;
    /// use windowlimit::{KeyedLimiter, Limit};
    ///
    /// static API: KeyedLimiter = KeyedLimiter::for_longest("api", Duration::from_secs(60));
    ///
    /// let (free, paid) = ([Limit::per_minute(1)], [Limit::per_minute(3), Limit::per_second(2)]);
    /// assert!(API.check_for("ann", &free, 1).is_ok() && API.check_for("ann", &free, 1).is_err());
    /// // She pays: what she has used stays used.
    /// assert!(API.check_for("ann", &paid, 1).is_ok() && API.check_for("ann", &paid, 1).is_err());
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn for_longest(name: &'static str, window: Duration) -> Self {
        match Limit::new(0, window) {
            Ok(limit) => {
                Self::from_parts(name, Limits::invalid(InvalidLimit::NO_LIMIT), limit.nanos(), SystemClock)
            }
            Err(why) => Self::misconfigured(name, why),
        }
    }

    /// A limiter that refuses every call and says why.
    #[track_caller]
    pub(crate) const fn misconfigured(name: &'static str, why: InvalidLimit) -> Self {
        Self::from_parts(name, Limits::invalid(why), 0, SystemClock)
    }

    /// Starts a limiter whose name or limits are known at run time only, or that has a clock of its own.
    ///
    /// ```
    /// use windowlimit::{KeyedLimiter, Limit};
    ///
    /// let limiter = KeyedLimiter::builder().name("tenants").limit("100/m".parse()?).max_keys(5_000).build()?;
    /// assert!(limiter.check(&7).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder() -> KeyedLimiterBuilder {
        KeyedLimiterBuilder::new()
    }
}

impl<C> KeyedLimiter<C> {
    #[track_caller]
    pub(crate) const fn from_parts(name: &'static str, limits: Limits, longest: u64, clock: C) -> Self {
        Self {
            exact: Table::new(),
            segmented: Table::new(),
            fixed: Table::new(),
            policy: Latest::new(Policy::new(limits, longest)),
            algorithm: Algorithm::Exact,
            max_keys: MAX_KEYS,
            gate: Gate::at_first(true, false),
            max_waiters: usize::MAX,
            lines: OnceCell::new(),
            name,
            watch: Watch::new(),
            tally: Tally::new(),
            clock,
        }
    }

    /// The limiter of an attribute, which stands here and enters itself in the [registry](mod@crate::registry) when it is first
    /// called.
    #[must_use]
    pub(crate) fn at_home(mut self, home: &'static dyn Inhabited) -> Self {
        self.gate = Gate::at_first(true, true);
        self.watch.set_home(home);
        self
    }

    /// The same limiter with another kind of window, for a `static` too. A window of no segments, or of too many, is
    /// misconfigured: it refuses every call and says why.
    #[must_use]
    pub const fn with_algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// The same limiter with another bound on the number of keys, for a `static` too. With 0, every call is refused.
    #[must_use]
    pub const fn with_max_keys(mut self, max_keys: usize) -> Self {
        self.max_keys = max_keys;
        self
    }

    /// The same limiter with a bound on how many calls wait in the line of a key at once, for a `static` too: one more is
    /// refused with the reason [`LineFull`](crate::Reason::LineFull).
    #[must_use]
    pub const fn with_max_waiters(mut self, max_waiters: usize) -> Self {
        self.max_waiters = max_waiters;
        self
    }

    /// What refusals call this limiter.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    pub(crate) fn static_name(&self) -> &'static str {
        self.name
    }

    /// The clock that decisions read.
    #[must_use]
    pub fn clock(&self) -> &C {
        &self.clock
    }

    /// The kind of window.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The most keys that are held at once.
    #[must_use]
    pub fn max_keys(&self) -> usize {
        self.max_keys
    }

    /// The limits of each key, in the order they were given; none if they come with each call, or if it is misconfigured.
    #[must_use]
    pub fn limits(&self) -> Vec<Limit> {
        in_scope!(self, |double| double.limits());
        self.policy.load().limits.as_slice().to_vec()
    }

    /// How many keys are held. Some of them may be idle, and not yet given back.
    #[must_use]
    pub fn len(&self) -> usize {
        in_scope!(self, |double| double.len());
        in_table!(self, |table| table.len())
    }

    /// Whether no key is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<C: Clock> KeyedLimiter<C> {
    /// Admits one call of a key and takes one unit of every limit of it, or refuses it and takes nothing.
    ///
    /// # Errors
    ///
    /// The refusal, with the exact time after which the same call would be admitted; or that there are
    /// [too many keys](crate::Reason::TooManyKeys).
    pub fn check<K: Hash + ?Sized>(&self, key: &K) -> Result<(), RateLimitExceeded> {
        self.checked(key, None, 1)
    }

    /// Admits one call of a key and takes `cost` units of every limit of it, or refuses it and takes nothing.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check). A call that costs more than a limit can never be admitted.
    pub fn check_n<K: Hash + ?Sized>(&self, key: &K, cost: u32) -> Result<(), RateLimitExceeded> {
        self.checked(key, None, cost)
    }

    /// The same by limits that come with the call, instead of the limiter's own: see
    /// [`for_longest`](KeyedLimiter::for_longest). What the key was admitted before counts for them.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n). No limits, or a window longer than the longest, is
    /// [misconfigured](crate::Reason::Misconfigured).
    pub fn check_for<K: Hash + ?Sized>(
        &self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> Result<(), RateLimitExceeded> {
        self.checked(key, Some(limits), cost)
    }

    /// As [`check`](Self::check), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn try_acquire<K: Hash + ?Sized>(&self, key: &K) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.admit(key, None, 1)
    }

    /// As [`check_n`](Self::check_n), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_n`](Self::check_n).
    pub fn try_acquire_n<K: Hash + ?Sized>(
        &self,
        key: &K,
        cost: u32,
    ) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.admit(key, None, cost)
    }

    /// As [`check_for`](Self::check_for), and says what is left.
    ///
    /// # Errors
    ///
    /// As [`check_for`](Self::check_for).
    pub fn try_acquire_for<K: Hash + ?Sized>(
        &self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.admit(key, Some(limits), cost)
    }

    /// How full the window of a key is now; of several limits, the one with the least left.
    pub fn usage<K: Hash + ?Sized>(&self, key: &K) -> Usage {
        self.usage_of(key, None)
    }

    /// The same by limits that come with the call, as in [`check_for`](Self::check_for).
    pub fn usage_for<K: Hash + ?Sized>(&self, key: &K, limits: &[Limit]) -> Usage {
        self.usage_of(key, Some(limits))
    }

    /// The refusal of a call whose limits are none.
    pub(crate) fn misconfigured_call(&self, why: InvalidLimit) -> RateLimitExceeded {
        RateLimitExceeded::misconfigured(self.name, why)
    }
}

impl<C> fmt::Debug for KeyedLimiter<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedLimiter")
            .field("name", &self.name)
            .field("limits", &self.limits())
            .field("algorithm", &self.algorithm)
            .field("len", &self.len())
            .field("max_keys", &self.max_keys)
            .finish_non_exhaustive()
    }
}

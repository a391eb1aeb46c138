//! Why limiters cannot decide together.

use std::{error::Error, fmt};

use crate::store::limiter::SharedLimiter;

/// Limiters cannot decide [`Together`](crate::Together).
///
/// ```
/// use windowlimit::{Limit, RedisStore, SharedLimiter, Together};
///
/// let store = RedisStore::open("redis://127.0.0.1:6379")?;
/// let by_user = SharedLimiter::new(&store, "by user", Limit::per_minute(5));
/// let by_address = SharedLimiter::new(&store, "by address", Limit::per_minute(20));
///
/// let error = Together::new([by_user, by_address]).unwrap_err();
/// assert!(error.is_slot() && error.to_string().contains(".group("));
/// # Ok::<(), windowlimit::StoreError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TogetherError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Stores(Named, Named),
    Names(Named),
    Slots(Named, Named),
}

/// A limiter, and what its keys begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    name: &'static str,
    prefix: String,
}

impl Named {
    fn of(limiter: &SharedLimiter) -> Self {
        Self { name: limiter.name, prefix: String::from_utf8_lossy(&limiter.prefix).into_owned() }
    }
}

impl TogetherError {
    pub(super) fn none() -> Self {
        Self { kind: Kind::None }
    }

    pub(super) fn stores(one: &SharedLimiter, other: &SharedLimiter) -> Self {
        Self { kind: Kind::Stores(Named::of(one), Named::of(other)) }
    }

    pub(super) fn names(one: &SharedLimiter) -> Self {
        Self { kind: Kind::Names(Named::of(one)) }
    }

    pub(super) fn slots(one: &SharedLimiter, other: &SharedLimiter) -> Self {
        Self { kind: Kind::Slots(Named::of(one), Named::of(other)) }
    }

    /// Whether they are on different stores.
    #[must_use]
    pub fn is_store(&self) -> bool {
        matches!(self.kind, Kind::Stores(..))
    }

    /// Whether two have one name.
    #[must_use]
    pub fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Names(_))
    }

    /// Whether their windows may live in different slots of a cluster.
    #[must_use]
    pub fn is_slot(&self) -> bool {
        matches!(self.kind, Kind::Slots(..))
    }
}

impl fmt::Display for TogetherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::None => f.write_str("wanted limiters that decide together, found none"),
            Kind::Stores(one, other) => write!(
                f,
                "wanted limiters on one store, found that `{}` and `{}` are on different ones: make both with the same \
                 `RedisStore`, or with clones of it",
                one.name, other.name
            ),
            Kind::Names(one) => write!(
                f,
                "wanted limiters of different names, found `{}` twice: one limiter may have several limits, and two \
                 windows need two names",
                one.name
            ),
            Kind::Slots(one, other) => write!(
                f,
                "wanted windows that live in one slot of a cluster, found that keys of `{}` begin with `{}` and those of \
                 `{}` with `{}`: give both limiters one group, such as `.group(\"login\")` in their builders",
                one.name, one.prefix, other.name, other.prefix
            ),
        }
    }
}

impl Error for TogetherError {}

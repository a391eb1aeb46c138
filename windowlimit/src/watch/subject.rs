//! What can be watched and changed from outside: a limiter, of whatever clock and kind.

use std::{
    fmt, ptr,
    sync::{Arc, Weak},
};

use super::{Tally, Watch};
#[cfg(feature = "redis")]
use crate::store::RedisStore;
use crate::{
    algorithm::Algorithm,
    gate::Gate,
    limit::{InvalidLimit, Limit},
    usage::Usage,
};

/// A limiter, as the book sees it. What it does here is done to this very limiter, whatever scope of a test it is called in.
pub(crate) trait Subject: Send + Sync {
    fn name(&self) -> &'static str;
    fn gate(&self) -> &Gate;
    fn watch(&self) -> &Watch;
    fn tally(&self) -> &Tally;
    fn algorithm(&self) -> Algorithm;
    fn limits(&self) -> Vec<Limit>;
    /// The limits that it was made with.
    fn declared(&self) -> Vec<Limit>;
    /// Whether it could keep these limits.
    fn accepts(&self, limits: &[Limit]) -> Result<(), Unfit>;
    fn set_limits(&self, limits: &[Limit]) -> Result<(), Unfit>;
    /// Whether a reset does anything.
    fn resets(&self) -> Result<(), Unfit> {
        Ok(())
    }
    fn reset(&self);
    /// Lets those who wait in line look whether they still have to.
    fn disturb(&self);
    /// Lets the double appear that it has in the scope of a test, if this is one.
    #[cfg(feature = "test-util")]
    fn appear(&self);
    /// How full the window is, if there is a single one.
    fn usage(&self) -> Option<Usage>;
    /// How many keys are held, if there is a window for each.
    fn keys(&self) -> Option<usize>;
    /// So many keys with the most live units, the fullest first.
    fn heaviest(&self, most: usize) -> Vec<Heavy>;
    /// How many calls were decided without the store on which the windows are, if they are on one.
    fn degraded(&self) -> Option<u64> {
        None
    }
    /// That store.
    #[cfg(feature = "redis")]
    fn store(&self) -> Option<&RedisStore> {
        None
    }
}

/// A key and how full its window is.
pub(crate) struct Heavy {
    pub(crate) tag: u128,
    pub(crate) usage: Usage,
}

/// Why a limiter cannot have some limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    Invalid(InvalidLimit),
    /// Its limits come with each call.
    OfCalls,
    /// Its windows are on a store, one for each key, and nobody knows all keys.
    #[cfg_attr(not(feature = "redis"), allow(dead_code))]
    OnStore,
}

impl From<InvalidLimit> for Unfit {
    fn from(why: InvalidLimit) -> Self {
        Self::Invalid(why)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => why.fmt(f),
            Self::OfCalls => f.write_str(
                "wanted a limiter with limits of its own, found one whose limits come with each call (`limit_for`)",
            ),
            Self::OnStore => f.write_str(
                "wanted a limiter whose windows are in this process, found one whose windows are on a store, where they \
                 are reset key by key (`SharedLimiter::reset`)",
            ),
        }
    }
}

/// A limiter, as the book keeps it.
#[derive(Clone)]
pub(crate) enum Kept {
    Static(&'static dyn Subject),
    /// It goes when its owners let it go.
    Shared(Weak<dyn Subject>),
}

/// A limiter that is held on to.
#[derive(Clone)]
pub(crate) enum Held {
    Static(&'static dyn Subject),
    Shared(Arc<dyn Subject>),
}

impl Kept {
    pub(crate) fn hold(&self) -> Option<Held> {
        match self {
            Self::Static(subject) => Some(Held::Static(*subject)),
            Self::Shared(subject) => subject.upgrade().map(Held::Shared),
        }
    }

    /// Two limiters that both live have two addresses.
    pub(super) fn address(&self) -> usize {
        match self {
            Self::Static(subject) => ptr::from_ref(*subject).cast::<()>().addr(),
            Self::Shared(subject) => subject.as_ptr().cast::<()>().addr(),
        }
    }
}

impl Held {
    pub(crate) fn keep(&self) -> Kept {
        match self {
            Self::Static(subject) => Kept::Static(*subject),
            Self::Shared(subject) => Kept::Shared(Arc::downgrade(subject)),
        }
    }

    pub(crate) fn get(&self) -> &dyn Subject {
        match self {
            Self::Static(subject) => *subject,
            Self::Shared(subject) => &**subject,
        }
    }
}

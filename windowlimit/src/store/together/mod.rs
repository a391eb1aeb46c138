//! Several limiters of one store that decide on a call as one.
//!
//! One question about all windows, to the script `lua/together.lua`, which lets each decide as it does alone: first without
//! writing, then, if all admit the call, for good. What holds of one question (R1 to R4) holds of this one: it is one. What
//! each window says of itself is remembered of that window, so that its refusals are known to those who ask it alone, and
//! theirs here.

mod calls;
mod decision;
mod error;
mod keys;
mod permit;
mod stand_in;

use std::{borrow::Borrow, fmt};

pub use self::{error::TogetherError, keys::TogetherKeys, permit::TogetherPermit};
use super::{limiter::SharedLimiter, prefix::hash_tag, store::RedisStore};

/// Several [`SharedLimiter`]s that decide on each call as one: all admit it and each is charged, or it is refused and none is.
///
/// Each keeps its own name, limits, kind of window and keys. So a log-in can be limited by user and by address at once:
///
/// ```no_run
/// use std::{net::IpAddr, sync::LazyLock};
/// use windowlimit::{Limit, RateLimitExceeded, RedisStore, SharedLimiter, Together};
///
/// static REDIS: LazyLock<RedisStore> =
///     LazyLock::new(|| RedisStore::open("redis://127.0.0.1:6379").expect("the address can be read"));
///
/// // Five a minute for each user, and a hundred an hour from each address.
/// static LOGINS: LazyLock<Together<2>> = LazyLock::new(|| {
///     let limiter = |name, limit| SharedLimiter::builder(&REDIS, name).group("login").limit(limit).build();
///     let by_user = limiter("login by user", Limit::per_minute(5)).expect("it has a limit");
///     let by_address = limiter("login by address", Limit::per_hour(100)).expect("it has a limit");
///     Together::new([by_user, by_address]).expect("they are of one group")
/// });
///
/// async fn log_in(user: &str, address: IpAddr) -> Result<(), RateLimitExceeded> {
///     LOGINS.check_async((user, address)).await?;
///     Ok(())
/// }
/// ```
///
/// It holds the limiters, or what refers to them: as `Together<2, &SharedLimiter>` or `Together<2, Arc<SharedLimiter>>` those
/// that are asked alone as well. A call that one limiter is asked about alone counts in its windows as any other.
///
/// # What is promised
///
/// What each [`SharedLimiter`] promises, and that a call which is refused takes nothing from any of them. The refusal is that
/// of the limit which has room last, of all limits of all limiters: it has the name of its limiter, and its retry time is
/// when all of them have room. (Where it [comes from memory](crate::Decider::Memory), it is that of the windows that are
/// known to be full: the others are not asked until then.)
///
/// # One slot
///
/// The windows of one decision have to live on one server. In a cluster that is so if they are in one slot: the limiters have
/// to be of one [group](crate::SharedLimiterBuilder::group). This is asked for with a single server as well, so that what
/// works on one server works on many. All windows of a group live on one server of a cluster, which does all of their work;
/// so limiters that are never asked together are better in groups of their own.
///
/// While a slot moves from one server of a cluster to another, a decision about a window that is there and one that is new
/// may find no server that has both. Then the limiters do what they were told to do when the store cannot be asked.
///
/// # When the store cannot be asked
///
/// Each limiter does what its [`OnStoreError`](crate::OnStoreError) says. One that refuses then refuses for all; the windows
/// of this process decide as one, as those of the store do, but for calls that meet: one that is refused may for a moment hold
/// what it then gives back.
///
/// # Counters
///
/// An admission is one of each limiter. A refusal is one of the limiter that it has the name of.
///
/// # Concurrency
///
/// One call of a script on the server, in one round trip, however many limiters there are. Otherwise as
/// [`SharedLimiter`].
///
/// # Modes
///
/// A limiter that is [`Off`](crate::registry::Mode::Off) is not asked. One in [`Shadow`](crate::registry::Mode::Shadow) is
/// asked afterwards, by itself and before the same deadline, and only if the others admit the call: what it finds changes
/// nothing for them.
pub struct Together<const N: usize, L = SharedLimiter> {
    store: RedisStore,
    limiters: [L; N],
}

impl<const N: usize, L: Borrow<SharedLimiter>> Together<N, L> {
    /// These limiters together. Nothing is asked yet.
    ///
    /// # Errors
    ///
    /// They are on different [stores](TogetherError::is_store), two have the same [name](TogetherError::is_name), or their
    /// windows do not live in [one slot](TogetherError::is_slot).
    pub fn new(limiters: [L; N]) -> Result<Self, TogetherError> {
        let (first, others) = limiters.split_first().ok_or_else(TogetherError::none)?;
        let first = first.borrow();
        for (place, other) in others.iter().map(Borrow::borrow).enumerate() {
            if !first.store.is_same(&other.store) {
                return Err(TogetherError::stores(first, other));
            }
            let before = limiters[..=place].iter().map(Borrow::borrow);
            if let Some(same) = before.into_iter().find(|before: &&SharedLimiter| before.name == other.name) {
                return Err(TogetherError::names(same));
            }
            let tag = hash_tag(&first.prefix);
            if tag.is_none() || tag != hash_tag(&other.prefix) {
                return Err(TogetherError::slots(first, other));
            }
        }
        Ok(Self { store: first.store.clone(), limiters })
    }

    /// The limiters, in the order in which they were given.
    pub fn limiters(&self) -> [&SharedLimiter; N] {
        self.limiters.each_ref().map(Borrow::borrow)
    }
}

impl<const N: usize, L: Borrow<SharedLimiter>> fmt::Debug for Together<N, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Together").field(&self.limiters()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{RedisStore, SharedLimiter, Together, TogetherError};
    use crate::{algorithm::Algorithm, limit::Limit};

    const ADDRESS: &str = "redis://127.0.0.1:1";

    fn limiter(store: &RedisStore, name: &'static str, group: Option<&'static str>) -> SharedLimiter {
        let limiter = SharedLimiter::builder(store, name).limit(Limit::per_hour(1));
        let limiter = if let Some(group) = group { limiter.group(group) } else { limiter };
        limiter.build().expect("it has a limit")
    }

    fn error<const N: usize>(limiters: [SharedLimiter; N]) -> TogetherError {
        Together::new(limiters).expect_err("they cannot decide together")
    }

    #[test]
    fn limiters_that_cannot_decide_together_are_told_so_when_they_are_put_together() {
        let store = RedisStore::open(ADDRESS).expect("it is an address");
        let other = RedisStore::open(ADDRESS).expect("it is an address");
        let in_group = |name| limiter(&store, name, Some("g"));
        let text = |error: TogetherError| error.to_string();

        assert!(text(error([])).contains("found none"));
        let stores = error([in_group("a"), in_group("b"), limiter(&other, "c", Some("g"))]);
        assert!(stores.is_store() && text(stores).contains("`a` and `c` are on different ones"));
        let names = error([in_group("a"), in_group("b"), in_group("b")]);
        assert!(names.is_name() && text(names).contains("found `b` twice"));
        let slots = error([in_group("a"), limiter(&store, "b", None)]);
        assert!(
            slots.is_slot() && text(slots).contains("begin with `windowlimit:{g}::a:` and those of `b` with")
        );
        assert!(error([in_group("a"), in_group("b"), limiter(&store, "c", Some("h"))]).is_slot());
        // Of none they would be anywhere, also if the names are the same part of the way.
        assert!(error([limiter(&store, "a", None), limiter(&store, "b", None)]).is_slot());
        // In braces, the prefix of a store stands before every group.
        let braces = RedisStore::builder(ADDRESS).expect("it is an address").prefix("w{}").build();
        assert!(error([limiter(&braces, "a", Some("g")), limiter(&braces, "b", Some("g"))]).is_slot());
        assert_eq!(store.asked(), 0);
    }

    #[test]
    fn limiters_of_one_group_decide_together_whatever_they_are() {
        let store = RedisStore::open(ADDRESS).expect("it is an address");
        let fixed = SharedLimiter::builder(&store.clone(), "b").group("g").limit(Limit::per_hour(1));
        let fixed = fixed.algorithm(Algorithm::Fixed).build().expect("it has a limit");
        let exact = limiter(&store, "a", Some("g"));
        assert!(Together::new([&exact, &fixed]).is_ok());
        // One alone has nobody to be with.
        let together = Together::new([limiter(&store, "c", None)]).expect("it is one");
        assert_eq!(together.limiters().map(SharedLimiter::name), ["c"]);
    }
}

//! Calls of a shared limiter that wait for their turn, each in the line of its key, and those that find others waiting.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use super::{
    acquire::SharedAcquire, call::Call, key::KeyText, key::StoreKey, limiter::SharedLimiter, line::Line,
    permit::SharedPermit, store::RedisStore,
};
use crate::{
    clock::{Clock, SystemClock, instant},
    error::RateLimitExceeded,
    keyed::Digest,
    limit::Limit,
    line,
    sync::Mutex,
};

/// Calls that wait. In this process they are served first come, first served, together with those of all limiters that have
/// this name on this store; other processes have lines of their own, and whose first asks first is admitted first.
///
/// A call that does not fit is told how long that stays so, and asks again exactly then, but for a moment of chance (a
/// hundredth of that time at most, and five milliseconds) by which those of other processes do not ask at the same time.
/// What others do meanwhile, such as a refund, is not seen before.
impl SharedLimiter {
    /// Waits for the turn of a call of a key: first come, first served among the calls of that key in this process. Those of
    /// another key do not wait for it.
    ///
    /// ```no_run
    /// use std::sync::LazyLock;
    /// use windowlimit::{Limit, RedisStore, SharedLimiter};
    ///
    /// static REDIS: LazyLock<RedisStore> =
    ///     LazyLock::new(|| RedisStore::open("redis://127.0.0.1:6379").expect("the address can be read"));
    /// static API: LazyLock<SharedLimiter> =
    ///     LazyLock::new(|| SharedLimiter::new(&REDIS, "api", Limit::per_second(10)));
    ///
    /// async fn fetch(host: &str) -> Result<(), windowlimit::RateLimitExceeded> {
    ///     API.acquire(host).await?;
    ///     // Ten of these a second for each host, in all processes together.
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The refusal of a call that can never fit, or that finds the line of its key [full](Self::max_waiters). When the store
    /// cannot be asked, what [`OnStoreError`](crate::OnStoreError) says: `Deny` refuses a call that comes or has its turn
    /// then; with `Local` it waits for its turn in the window of this process, until the store is back.
    ///
    /// # Concurrency
    ///
    /// While anybody in this process is known to wait for a key, a call of that key that does not is refused with the reason
    /// [`OthersWait`](crate::Reason::OthersWait). Only the first in line asks the store, for those behind it as well if there
    /// was room for them. Nothing is locked while they wait, and no thread is blocked.
    pub fn acquire<K: StoreKey + ?Sized>(&self, key: &K) -> SharedAcquire<'_> {
        SharedAcquire::new(Call::new(self, key, 1))
    }

    /// As [`acquire`](Self::acquire), but no longer than this: a call whose turn comes later is refused, with the time until
    /// that turn.
    ///
    /// At once, as far as this process knows: of the first in line, what the store has answered; of those behind it, how many
    /// calls are before them, as if no other process took anything. When it turns out later, it is refused then, and
    /// [at its deadline](SharedAcquire::within) in any case; one about which the store was just asked waits for the answer.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire), or that the turn comes [too late](crate::Reason::TurnTooLate).
    pub fn acquire_within<K: StoreKey + ?Sized>(&self, key: &K, longest: Duration) -> SharedAcquire<'_> {
        self.acquire(key).within(longest)
    }

    /// As [`acquire`](Self::acquire), by limits that come with the call: see [`check_for`](Self::check_for).
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire). No limits, or a window longer than the longest, is
    /// [misconfigured](crate::Reason::Misconfigured).
    pub fn acquire_for<K: StoreKey + ?Sized>(&self, key: &K, limits: &[Limit]) -> SharedAcquire<'_> {
        SharedAcquire::new(Call::new(self, key, 1).with_limits(limits))
    }

    /// As [`acquire`](Self::acquire), by blocking this thread.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire).
    pub fn acquire_blocking<K: StoreKey + ?Sized>(
        &self,
        key: &K,
    ) -> Result<SharedPermit<'_>, RateLimitExceeded> {
        self.acquire(key).blocking()
    }

    /// As [`acquire_within`](Self::acquire_within), by blocking this thread.
    ///
    /// # Errors
    ///
    /// As [`acquire_within`](Self::acquire_within).
    pub fn acquire_within_blocking<K: StoreKey + ?Sized>(
        &self,
        key: &K,
        longest: Duration,
    ) -> Result<SharedPermit<'_>, RateLimitExceeded> {
        self.acquire_within(key, longest).blocking()
    }

    /// How many calls of a key stand in line in this process, those about which the store is being asked among them.
    #[must_use]
    pub fn waiting<K: StoreKey + ?Sized>(&self, key: &K) -> usize {
        let line = self.store.lines().and_then(|lines| lines.get(&self.line_of(&KeyText::of(key))));
        line.map_or(0, |line| line.lock().len())
    }

    /// How many calls may wait in the line of a key in this process; if there is no bound, `usize::MAX`.
    #[must_use]
    pub fn max_waiters(&self) -> usize {
        self.max_waiters
    }

    /// The line of a key.
    pub(super) fn line_of(&self, key: &KeyText) -> Digest {
        Digest::of(&(&*self.prefix, key))
    }

    /// Looks at the line of a key, under its lock; then wakes who is to be woken.
    pub(super) fn in_line<R>(&self, line: Digest, look: impl FnOnce(&mut Line) -> R) -> R {
        let new = || Line::new(self.name, &self.prefix, self.algorithm);
        let (result, wakers) = self.store.lines_or_new().with(line, new, |line| {
            let result = look(line);
            (result, line.take_wakers())
        });
        wake(wakers);
        result
    }

    /// Why a call that does not wait is refused, if others are known to wait for the same key.
    pub(super) fn behind_line(
        &self,
        key: &KeyText,
        limits: &[Limit],
        cost: u32,
    ) -> Option<RateLimitExceeded> {
        let line = self.store.lines()?.get(&self.line_of(key))?;
        let call = line::Call { cost, limits: Some(limits.into()) };
        line.lock().behind(&call, instant(self.clock()))
    }

    /// The limits were changed: those who wait have the new ones.
    pub(super) fn change_lines(&self, new: &[Limit]) {
        let Some(lines) = self.store.lines() else { return };
        for line in lines.keys().iter().filter_map(|key| lines.get(key)) {
            look_at(&line, |line| {
                if line.prefix == self.prefix {
                    line.change_limits(self.id(), new);
                }
            });
        }
    }

    /// Whoever is the first in a line of this window looks again.
    pub(super) fn disturb_lines(&self) {
        let Some(lines) = self.store.lines() else { return };
        for line in lines.keys().iter().filter_map(|key| lines.get(key)) {
            look_at(&line, |line| {
                if line.prefix == self.prefix {
                    line.disturb();
                }
            });
        }
    }

    /// Tells this limiter from others, while it is borrowed.
    pub(super) fn id(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// What the instants of its lines are read from.
    pub(super) fn clock(&self) -> &dyn Clock {
        match &self.instants {
            Some(clock) => &**clock,
            None => &SystemClock,
        }
    }

    /// How much later than a wait of so many nanoseconds ends, the store is asked again.
    pub(super) fn jitter(&self, wait: u64) -> u64 {
        if self.instants.is_some() { 0 } else { chance(wait) % (most_jitter(wait) + 1) }
    }
}

/// Short beside the wait, and long enough that processes which were told the same time do not ask all at once.
fn most_jitter(wait: u64) -> u64 {
    const MOST: u64 = 5_000_000;
    (wait / 100).min(MOST)
}

fn chance(seed: u64) -> u64 {
    // A fresh `RandomState` is seeded anew; so little chance needs no generator.
    RandomState::new().hash_one(seed)
}

impl RedisStore {
    /// A window was changed in a way that may bring turns forward: whoever is the first in its line asks again.
    pub(super) fn disturb(&self, line: Digest) {
        if let Some(line) = self.lines().and_then(|lines| lines.get(&line)) {
            look_at(&line, Line::disturb);
        }
    }
}

fn look_at(line: &Mutex<Line>, look: impl FnOnce(&mut Line)) {
    let wakers = {
        let mut line = line.lock();
        look(&mut line);
        line.take_wakers()
    };
    wake(wakers);
}

/// Not where a line is locked: what a waker does, or what goes with one, is not ours to know.
fn wake((woken, retired): (Vec<std::task::Waker>, Vec<std::task::Waker>)) {
    drop(retired);
    woken.into_iter().for_each(std::task::Waker::wake);
}

#[cfg(test)]
mod tests {
    use super::{chance, most_jitter};

    #[test]
    fn jitter_is_small_and_differs() {
        assert_eq!((most_jitter(0), most_jitter(99), most_jitter(1_000_000)), (0, 0, 10_000));
        assert_eq!(most_jitter(u64::MAX), 5_000_000);
        assert!((0..100).any(|_| chance(1) != chance(1)));
    }
}

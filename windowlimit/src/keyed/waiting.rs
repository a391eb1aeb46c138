//! Calls of keys that wait for their turn, each in the line of its key, and those that find others waiting.

use std::{hash::Hash, time::Duration};

use super::{Digest, KeyedLimiter, table::Table};
use crate::{
    algorithm::Algorithm,
    clock::Clock,
    error::RateLimitExceeded,
    lasting::Together,
    limit::Limit,
    line::{self, Acquire, Call, Forecast, Foresee, Place, Queue, Terms},
    permit::Permit,
    usage::Usage,
    window::{rules::Rules, solo::Solo, timeline::Admitted},
};

/// The lines of keys for which somebody waits.
///
/// Locks are taken in this order: that of a line, under which its first decides; that of the shard in which the key has its
/// window; and as the last one that of the shard in which a key has its line, under which a line is only looked up.
pub(super) type Lines = line::Lines<Queue>;

impl<C: Clock> KeyedLimiter<C> {
    /// Waits for the turn of a call of a key: first come, first served among the calls of that key. Those of another key
    /// do not wait for it.
    ///
    /// ```
    /// use windowlimit::{KeyedLimiter, Limit};
    ///
    /// static API: KeyedLimiter = KeyedLimiter::new("api", Limit::per_second(10));
    ///
    /// async fn fetch(host: &str) -> Result<(), windowlimit::RateLimitExceeded> {
    ///     API.acquire(host).await?;
    ///     // Ten of these a second for each host, and no more.
    ///     Ok(())
    /// }
    /// # pollster::block_on(fetch("example.org")).unwrap();
    /// ```
    ///
    /// # Errors
    ///
    /// The refusal of a call that can never fit, or that finds the line of its key [full](Self::max_waiters) or
    /// [too many keys](crate::Reason::TooManyKeys).
    ///
    /// # Concurrency
    ///
    /// While anybody waits for a key, a call of that key that does not is refused with the reason
    /// [`OthersWait`](crate::Reason::OthersWait).
    pub fn acquire<K: Hash + ?Sized>(&self, key: &K) -> Acquire<'_, C> {
        Acquire::new(Place::Key(self, Digest::of(key)), self.max_waiters)
    }

    /// As [`acquire`](Self::acquire), but no longer than this: a call whose turn comes later is refused at once, with the
    /// time until that turn, and does not stand in line.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire), or that the turn comes [too late](crate::Reason::TurnTooLate).
    pub fn acquire_within<K: Hash + ?Sized>(&self, key: &K, longest: Duration) -> Acquire<'_, C> {
        self.acquire(key).within(longest)
    }

    /// As [`acquire`](Self::acquire), by limits that come with the call: see [`check_for`](Self::check_for).
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire). No limits, or a window longer than the longest, is
    /// [misconfigured](crate::Reason::Misconfigured).
    pub fn acquire_for<K: Hash + ?Sized>(&self, key: &K, limits: &[Limit]) -> Acquire<'_, C> {
        self.acquire(key).limits(limits)
    }

    /// As [`acquire`](Self::acquire), by blocking this thread.
    ///
    /// # Errors
    ///
    /// As [`acquire`](Self::acquire).
    pub fn acquire_blocking<K: Hash + ?Sized>(&self, key: &K) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.acquire(key).blocking()
    }

    /// As [`acquire_within`](Self::acquire_within), by blocking this thread.
    ///
    /// # Errors
    ///
    /// As [`acquire_within`](Self::acquire_within).
    pub fn acquire_within_blocking<K: Hash + ?Sized>(
        &self,
        key: &K,
        longest: Duration,
    ) -> Result<Permit<'_, C>, RateLimitExceeded> {
        self.acquire_within(key, longest).blocking()
    }

    /// Decides on a call, whoever waits.
    pub(crate) fn decide(&self, key: Digest, call: &Call) -> Result<Admitted, RateLimitExceeded> {
        self.claim_key::<true>(key, call.limits.as_deref(), call.cost)
    }

    /// All limits, if they are several and last.
    pub(crate) fn together(&self) -> Together {
        self.policy.load().limits.together()
    }

    /// The state of each limit that a call of a key is decided by.
    pub(crate) fn usages(&self, key: Digest, call: &Call) -> Vec<Usage> {
        self.usages_of(key, call.limits.as_deref())
    }

    /// Whether a call can ever be admitted.
    pub(crate) fn examine(&self, call: &Call) -> Result<(), RateLimitExceeded> {
        match self.limits_of(&self.policy.load(), call.limits.as_deref(), call.cost) {
            Ok(_) => Ok(()),
            Err(refused) => Err(RateLimitExceeded::refused(self.name, refused)),
        }
    }

    /// The window of a key as it is, to be played on with so many units.
    pub(crate) fn foresee(&self, key: Digest, units: u64) -> Box<dyn Foresee> {
        in_table!(self, |table| self.foresee_in(table, key, units))
    }

    fn foresee_in<S: Solo + Send + Sync + 'static>(
        &self,
        table: &Table<S>,
        key: Digest,
        units: u64,
    ) -> Box<dyn Foresee> {
        table.look(key, |window, floor| {
            let policy = self.policy.load();
            let rules = self.rules(&policy, policy.limits.as_slice(), true);
            let terms = Terms::of(&Rules { since: rules.since.max(floor), ..rules });
            Box::new(Forecast::new(window.decisive(&rules, units), terms))
        })
    }

    /// Why a call that does not wait is refused, if others do for the same key.
    #[cold]
    pub(super) fn behind_line(
        &self,
        lines: &Lines,
        key: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Option<RateLimitExceeded> {
        if !lines.contains_key(&key) {
            return None;
        }
        Place::Key(self, key).behind_line(&Call { cost, limits: limits.map(Into::into) })
    }

    /// The window of a key was changed: whoever is the first in its line looks at it again.
    pub(super) fn disturb(&self, key: Digest) {
        // A line is there before anybody decides who would stand in it. A decision and a change happen under the lock of
        // the window's shard: so whoever decided before the change, and stands in line, is found.
        if self.has_line(&key) {
            Place::Key(self, key).disturb();
        }
    }

    /// The same of all keys.
    pub(super) fn disturb_all(&self) {
        for key in self.lines.get().map(Lines::keys).unwrap_or_default() {
            self.disturb(key);
        }
    }
}

impl<C> KeyedLimiter<C> {
    /// How many calls of a key wait in line.
    #[must_use]
    pub fn waiting<K: Hash + ?Sized>(&self, key: &K) -> usize {
        in_scope!(self, |double| double.waiting(key));
        let key = Digest::of(key);
        let line = self.lines.get().and_then(|lines| lines.get(&key));
        line.map_or(0, |line| line.lock().len())
    }

    /// How many calls may wait in the line of a key at once; if there is no bound, `usize::MAX`.
    #[must_use]
    pub fn max_waiters(&self) -> usize {
        self.max_waiters
    }

    /// Looks at the line of a key, under its lock. A line is there as long as it concerns anybody.
    pub(crate) fn with_queue<R>(&self, key: Digest, look: impl FnOnce(&mut Queue) -> R) -> R {
        self.lines.get_or_init(Lines::default).with(key, Queue::new, look)
    }

    /// Whether somebody waits for a key.
    #[inline(never)]
    pub(super) fn has_line(&self, key: &Digest) -> bool {
        self.lines.get().is_some_and(|lines| lines.contains_key(key))
    }
}

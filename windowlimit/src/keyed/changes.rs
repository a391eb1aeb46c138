//! Forgetting, and other limits.

use std::hash::Hash;

use super::{Digest, KeyedLimiter, Policy};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    limit::{InvalidLimit, Limit},
    limits::Limits,
};

impl<C: Clock> KeyedLimiter<C> {
    /// Forgets a key: as much as its limits allow is free at once. Whether it was held.
    pub fn remove<K: Hash + ?Sized>(&self, key: &K) -> bool {
        in_scope!(self, |double| double.remove(key));
        let digest = Digest::of(key);
        let was_held = in_table!(self, |table| table.remove(digest));
        self.disturb(digest);
        was_held
    }

    /// Forgets all keys. Permits from before give nothing back.
    pub fn reset(&self) {
        in_scope!(self, |double| double.reset());
        self.forget_all();
    }

    /// Keeps these limits for each key from the next decision on, and remembers what was admitted: as
    /// [`Limiter::set_limits`](crate::Limiter::set_limits).
    ///
    /// # Errors
    ///
    /// There is no limit among them, or the window cannot have its segments; the limits then stay as they were.
    pub fn set_limits(&self, limits: impl IntoIterator<Item = Limit>) -> Result<(), InvalidLimit> {
        in_scope!(self, |double| double.set_limits(limits));
        let limits: Vec<Limit> = limits.into_iter().collect();
        self.keep(&limits)
    }

    /// Forgets all keys of this very limiter.
    pub(super) fn forget_all(&self) {
        {
            let _turn = self.policy.turn();
            let policy = Policy::clone(&self.policy.load());
            self.policy.store(Policy { since: 0, forgotten: 0, voided: policy.voided + 1, ..policy });
            in_table!(self, |table| table.clear());
        }
        self.disturb_all();
    }

    /// Keeps these limits for the keys of this very limiter.
    pub(super) fn keep(&self, limits: &[Limit]) -> Result<(), InvalidLimit> {
        let lengths = self.lengths(limits)?;
        let limits = Limits::shared(limits);
        limits.fault().map_or(Ok(()), Err)?;
        // A clock is the user's code: read it before anything is locked.
        let reading = instant(&self.clock);
        let turn = self.policy.turn();
        let policy = Policy::clone(&self.policy.load());
        let since = reading.max(policy.since);
        // What had left a window does not come back in a longer one.
        let forgotten = policy.forgotten.max(since.saturating_sub(policy.longest));
        let before = policy.limits.as_slice().iter().map(|limit| self.algorithm.segment(limit));
        let same_parts = self.algorithm == Algorithm::Exact || before.eq(lengths.into_iter().map(Ok));
        let voided = policy.voided + u64::from(!same_parts);
        let longest = limits.longest();
        let is_single = Policy::is_single(&limits, longest);
        let is_changed = true;
        self.policy.store(Policy {
            limits,
            longest,
            since,
            forgotten,
            voided,
            is_changed,
            is_single,
            ..policy
        });
        // Whoever had begun to decide by the limits before is waited for.
        in_table!(self, |table| table.wait_for_all());
        drop(turn);
        self.disturb_all();
        Ok(())
    }

    /// How long the segments are, or the windows that are not divided.
    pub(super) fn lengths(&self, limits: &[Limit]) -> Result<Vec<u64>, InvalidLimit> {
        limits.iter().map(|limit| self.algorithm.segment(limit)).collect()
    }
}

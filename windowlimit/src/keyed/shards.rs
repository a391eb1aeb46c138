//! The shards of a table: a lock each, and behind it a part of the keys.
//!
//! A full table has so many that none is large, for the sake of the call that makes one grow. A few keys in so many would lie
//! far apart: three lines of the cache each, which the nearest one does not hold. So as long as there are few, they share
//! the first shards, as many as dashmap would have by itself. The call that brings one more than [`SHARD`] spreads them
//! over all shards, once, which copies as many keys as a shard that grows.
//!
//! * **P1, one place.** Where a key is looked for depends on `reach`, which is changed under the locks of all shards that
//!   hold keys before. Whoever has the lock of a shard looks again whether the key still belongs there: if it does, it stays
//!   so for as long as the lock is held. After the change it is for ever.
//! * **P2, no circle.** Only who spreads the keys waits for a shard while it holds others: the first ones, in their order,
//!   and then one after another of the rest. Nobody who holds one of the rest waits for another shard before it.

use std::{ops::Deref, thread};

use dashmap::{DashMap, RwLock, SharedValue};

use super::digest::{Digest, PassThrough, place};
use crate::sync::{AtomicUsize, Ordering};

/// As many keys has a shard when the table is full: what a call copies that makes one grow.
pub(super) const SHARD: usize = 2_048;

pub(super) struct Shards<S> {
    map: DashMap<Digest, S, PassThrough>,
    /// The bits of a shard's number that count: those of the first shards, or all.
    reach: AtomicUsize,
}

pub(super) type Entry<S> = (Digest, SharedValue<S>);

/// All shards. Dashmap's type of a table has no name for others, so this is no function.
macro_rules! all {
    ($shards:expr) => {
        $shards.map().shards()
    };
}
pub(super) use all;

/// Locks the shard of a key with this hash, to `read` or to `write`.
macro_rules! lock {
    ($shards:expr, $hash:expr, $how:ident) => {
        shards::locked($shards.reach(), shards::all!($shards), $shards.number($hash), |shard| shard.$how())
    };
}
pub(super) use lock;

#[inline]
pub(super) fn hash_of<S>(entry: &Entry<S>) -> u64 {
    place(entry.0.token())
}

/// The lock of the shard that has this number when all count (P1).
#[inline]
pub(super) fn locked<'s, T: 's, Held>(
    reach: &AtomicUsize,
    shards: &'s [impl Deref<Target = RwLock<T>>],
    number: usize,
    lock: impl Fn(&'s RwLock<T>) -> Held,
) -> Held {
    loop {
        // Acquire: pairs with the Release in `spread`, whose keys are in the other shards then.
        let known = number & reach.load(Ordering::Acquire);
        let held = lock(&shards[known]);
        // Relaxed: it is not changed while one of the first shards is locked, and if this is none it was changed before.
        if known == number & reach.load(Ordering::Relaxed) {
            return held;
        }
    }
}

impl<S> Shards<S> {
    /// For at most so many keys.
    pub(super) fn new(most: usize) -> Self {
        let count = (most / SHARD).clamp(16, 1 << 12).next_power_of_two();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let first = (threads.saturating_mul(4)).clamp(16, count).next_power_of_two();
        let map = DashMap::with_capacity_and_hasher_and_shard_amount(0, PassThrough::default(), count);
        Self { map, reach: AtomicUsize::new(first - 1) }
    }

    #[inline]
    pub(super) fn map(&self) -> &DashMap<Digest, S, PassThrough> {
        &self.map
    }

    #[inline]
    pub(super) fn reach(&self) -> &AtomicUsize {
        &self.reach
    }

    /// Which shard holds a key with this hash, when all do.
    #[inline]
    pub(super) fn number(&self, hash: u64) -> usize {
        #[allow(clippy::cast_possible_truncation)] // as the table itself does where a word has 32 bits
        let hash = hash as usize;
        self.map.determine_shard(hash)
    }

    /// Whether keys are in all shards, or are about to be.
    #[inline]
    pub(super) fn are_spread(&self) -> bool {
        // Relaxed: whoever finds that they are not looks again under the locks.
        self.reach.load(Ordering::Relaxed) >= self.map.shards().len() - 1
    }

    /// Spreads the keys over all shards, if they are not.
    #[cold]
    pub(super) fn spread(&self) {
        // Before any lock: whoever asks of all keys comes here each time.
        if self.are_spread() {
            return;
        }
        let all = self.map.shards();
        // Relaxed: it is changed only under the locks that are taken next, and only once.
        let first = self.reach.load(Ordering::Relaxed).min(all.len() - 1) + 1;
        let mut held: Vec<_> = all[..first].iter().map(|shard| shard.write()).collect();
        if self.are_spread() {
            return;
        }
        for (known, held) in held.iter_mut().enumerate() {
            let entries: Vec<Entry<S>> = held.drain().collect();
            held.shrink_to(0, hash_of);
            for entry in entries {
                let hash = hash_of(&entry);
                match self.number(hash) {
                    number if number == known => held.insert(hash, entry, hash_of),
                    number => all[number].write().insert(hash, entry, hash_of),
                };
            }
        }
        // Release: pairs with the Acquire in `locked`.
        self.reach.store(all.len() - 1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, mpsc},
        thread,
        time::Duration,
    };

    use super::Shards;

    #[test]
    fn who_finds_the_keys_spread_waits_for_no_shard() {
        let shards = Arc::new(Shards::<u8>::new(1_000_000));
        assert!(!shards.are_spread());
        shards.spread();
        let held = shards.map().shards()[0].write();
        let (tell, heard) = mpsc::channel();
        let others = shards.clone();
        thread::spawn(move || {
            others.spread();
            tell.send(())
        });
        assert_eq!(
            heard.recv_timeout(Duration::from_secs(60)),
            Ok(()),
            "it waits for a shard that is locked"
        );
        drop(held);
    }
}

//! The refusals of the last moments, so that a flood of calls that are refused does not reach the server.
//!
//! A refusal proves that nobody gets that cost for that key under those limits before its retry time, counted from the
//! moment at which the question was sent (R4): the server read its clock later than that. What is done in this process
//! that could change it, a reset or a refund, clears it; what is done in others shows after the cap at the latest.
//!
//! Bounded: a table of sets of four entries, in which the entry that ends first gives way. No sweeper: an entry whose time
//! is over is as good as none.

use std::{hash::BuildHasher, hash::RandomState, time::Duration};

use super::{key::KeyText, refusal::Refusal};
use crate::{
    limit::Limit,
    sync::{AtomicU64, Mutex, Ordering},
};

/// 16 384 refusals, about 1.8 megabytes once there is one. A flood from more keys than that reaches the server in part.
const SETS: usize = 4096;
const WAYS: usize = 4;

pub(super) struct Memory {
    hasher: RandomState,
    cap: Duration,
    sets: once_cell::sync::OnceCell<Box<[Mutex<Set>]>>,
    /// How often something was cleared: a refusal that was on its way then is not remembered.
    cleared: AtomicU64,
}

type Set = [Option<Entry>; WAYS];

struct Entry {
    /// Of the limiter's name and the key.
    subject: u64,
    /// The same once more, by another hash: two that agree in both are taken for one.
    check: u64,
    limits: u64,
    cost: u32,
    /// In nanoseconds of the system's monotonic clock: when it was asked for, until when it is true, and until when it is
    /// believed.
    asked_at: u64,
    free_at: u64,
    until: u64,
    refusal: Refusal,
}

/// What a refusal is about.
#[derive(Clone, Copy)]
pub(super) struct About {
    subject: u64,
    check: u64,
    limits: u64,
}

/// The state of the memory when a question was sent.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    at: u64,
    cleared: u64,
}

impl Memory {
    pub(super) fn new(cap: Duration) -> Self {
        Self {
            hasher: RandomState::new(),
            cap,
            sets: once_cell::sync::OnceCell::new(),
            cleared: AtomicU64::new(0),
        }
    }

    pub(super) fn about(&self, prefix: &[u8], key: &KeyText, limits: &[Limit]) -> About {
        About {
            subject: self.hasher.hash_one((prefix, key)),
            check: self.hasher.hash_one((1_u8, key, prefix)),
            limits: self.hasher.hash_one(limits),
        }
    }

    /// To be taken before the question is sent.
    pub(super) fn moment(&self, now: u64) -> Moment {
        // Acquire: pairs with the Release in `clear`, whose change the question must come after.
        Moment { at: now, cleared: self.cleared.load(Ordering::Acquire) }
    }

    /// Whether this call is known to be refused now.
    pub(super) fn recall(&self, about: About, cost: u32, now: u64) -> Option<Refusal> {
        let set = self.set(self.sets.get()?, about).lock();
        let known = set.iter().flatten().filter(|entry| {
            entry.is_about(about) && entry.limits == about.limits && entry.cost <= cost && now < entry.until
        });
        known.max_by_key(|entry| entry.free_at).map(|entry| Refusal {
            by: entry.refusal.by,
            retry_after: entry.free_at - now,
            snapshot: entry.refusal.snapshot.later(now.saturating_sub(entry.asked_at)),
        })
    }

    /// Remembers a refusal, of a question that was sent at that moment.
    pub(super) fn remember(&self, about: About, cost: u32, asked: Moment, refusal: &Refusal) {
        let cap = u64::try_from(self.cap.as_nanos()).unwrap_or(u64::MAX);
        if cap == 0 {
            return;
        }
        let free_at = asked.at.saturating_add(refusal.retry_after);
        let until = asked.at.saturating_add(refusal.retry_after.min(cap));
        let entry = Entry {
            subject: about.subject,
            check: about.check,
            limits: about.limits,
            cost,
            asked_at: asked.at,
            free_at,
            until,
            refusal: refusal.clone(),
        };
        let none = || Mutex::new([const { None }; WAYS]);
        let sets = self.sets.get_or_init(|| (0..SETS).map(|_| none()).collect());
        let mut set = self.set(sets, about).lock();
        // Acquire, and under the lock that `clear` takes after its change: either that is seen here, or it clears this.
        if self.cleared.load(Ordering::Acquire) != asked.cleared {
            return;
        }
        let same = |place: &Option<Entry>| {
            place
                .as_ref()
                .is_some_and(|old| old.is_about(about) && old.limits == about.limits && old.cost == cost)
        };
        let place = match set.iter().position(same) {
            Some(place) => place,
            None => (0..WAYS).min_by_key(|&way| set[way].as_ref().map_or(0, |old| old.until)).unwrap_or(0),
        };
        set[place] = Some(entry);
    }

    /// Forgets what is known of a key, whatever the limits.
    pub(super) fn clear(&self, about: About) {
        // Release: pairs with the Acquire in `moment`. What is being asked right now may be older than the change.
        self.cleared.fetch_add(1, Ordering::AcqRel);
        if let Some(sets) = self.sets.get() {
            let mut set = self.set(sets, about).lock();
            for place in set.iter_mut() {
                if place.as_ref().is_some_and(|entry| entry.is_about(about)) {
                    *place = None;
                }
            }
        }
    }

    #[allow(clippy::unused_self, clippy::cast_possible_truncation)] // a part of the hash is what is wanted
    fn set<'s>(&self, sets: &'s [Mutex<Set>], about: About) -> &'s Mutex<Set> {
        &sets[about.subject as usize % SETS]
    }
}

impl Entry {
    fn is_about(&self, about: About) -> bool {
        self.subject == about.subject && self.check == about.check
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyText, Limit, Memory, Refusal};
    use std::time::Duration;

    const LIMIT: Limit = Limit::per_second(5);

    /// For so many nanoseconds, of which a store tells microseconds.
    fn refusal(retry_after: u64) -> Refusal {
        let refusal = Refusal::read(&[LIMIT], &[1]).expect("it is one");
        Refusal { retry_after, ..refusal }
    }

    #[test]
    fn a_refusal_is_known_until_its_retry_time_and_for_what_costs_as_much() {
        let memory = Memory::new(Duration::from_secs(1));
        let about = |key: &str, limit| memory.about(b"p", &KeyText::of(key), &[limit]);
        let known =
            |key, cost, now| memory.recall(about(key, LIMIT), cost, now).map(|known| known.retry_after);
        assert_eq!(known("a", 2, 100), None);
        memory.remember(about("a", LIMIT), 2, memory.moment(100), &refusal(50));
        assert_eq!((known("a", 2, 100), known("a", 3, 149)), (Some(50), Some(1)));
        assert_eq!((known("a", 2, 150), known("a", 1, 100), known("b", 2, 100)), (None, None, None));
        assert!(memory.recall(about("a", Limit::per_second(6)), 2, 100).is_none(), "of other limits");
    }

    #[test]
    fn the_cap_ends_what_is_believed_and_not_what_is_said() {
        let memory = Memory::new(Duration::from_nanos(10));
        let about = memory.about(b"p", &KeyText::of("a"), &[LIMIT]);
        memory.remember(about, 1, memory.moment(100), &refusal(50));
        assert_eq!(memory.recall(about, 1, 109).map(|known| known.retry_after), Some(41));
        assert!(memory.recall(about, 1, 110).is_none());
    }

    #[test]
    fn what_was_asked_before_a_change_is_not_remembered_after_it() {
        let memory = Memory::new(Duration::from_secs(1));
        let about = memory.about(b"p", &KeyText::of("a"), &[LIMIT]);
        let sent = memory.moment(100);
        memory.clear(about);
        memory.remember(about, 1, sent, &refusal(50));
        assert!(memory.recall(about, 1, 100).is_none());
        memory.remember(about, 1, memory.moment(100), &refusal(50));
        assert!(memory.recall(about, 1, 100).is_some());
        memory.clear(about);
        assert!(memory.recall(about, 1, 100).is_none());
    }

    #[test]
    fn it_stays_bounded_under_a_flood_of_keys() {
        let memory = Memory::new(Duration::from_secs(1));
        let abouts: Vec<_> =
            (0..100_000_u32).map(|key| memory.about(b"p", &KeyText::of(&key), &[LIMIT])).collect();
        for about in &abouts {
            memory.remember(*about, 1, memory.moment(100), &refusal(50));
        }
        let known = abouts.iter().filter(|about| memory.recall(**about, 1, 100).is_some()).count();
        assert!((8_000..=super::SETS * super::WAYS).contains(&known), "{known}");
    }
}

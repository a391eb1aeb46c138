//! A refusal by the store, and what that told of each limit.

use std::sync::Arc;

use super::call::{nanos, usages};
use crate::{
    decider::Decider, error::RateLimitExceeded, lasting::lasting, limit::Limit, others::Others, usage::Usage,
    window::answer::Full,
};

/// That a call finds one of its limits full.
#[derive(Clone)]
pub(super) struct Refusal {
    pub(super) by: Limit,
    /// Nanoseconds from now.
    pub(super) retry_after: u64,
    pub(super) snapshot: Snapshot,
}

/// The state of all limits at the instant of a refusal, if that was asked for.
#[derive(Clone, Default)]
pub(super) struct Snapshot {
    usages: Option<Arc<[Usage]>>,
    /// Nanoseconds since then.
    age: u64,
}

impl Refusal {
    /// Of the numbers of a script: the time to wait, the place of the limit, and what there is to know of each.
    pub(super) fn read(limits: &[Limit], numbers: &[i64]) -> Option<Self> {
        let (&wait, place) = numbers.split_first().filter(|(wait, _)| **wait > 0)?;
        let (&place, state) = place.split_first().unwrap_or((&0, &[]));
        let by = *limits.get(usize::try_from(place).ok()?)?;
        Some(Self { by, retry_after: nanos(wait), snapshot: Snapshot::read(limits, state)? })
    }

    /// As the caller is told, who has these limits.
    pub(super) fn told(&self, name: &'static str, limits: &[Limit], decider: Decider) -> RateLimitExceeded {
        let Self { by, retry_after, snapshot } = self;
        let full = Full { limit: *by, retry_after: *retry_after, remaining: snapshot.left_of(by) };
        RateLimitExceeded::full(name, full)
            .among(lasting(limits), snapshot.others(by, snapshot.left_of(by)))
            .decided_by(decider)
    }
}

impl Snapshot {
    /// Whether a refusal of such a call has anything to tell. (One that takes one unit finds none left, and other limits are
    /// told by header fields only.)
    pub(super) fn is_wanted(limits: &[Limit], cost: u32) -> bool {
        cost > 1 || cfg!(feature = "http") && limits.len() > 1
    }

    /// Of two numbers for each limit, or of none at all.
    fn read(limits: &[Limit], numbers: &[i64]) -> Option<Self> {
        match numbers.len() {
            0 => Some(Self::default()),
            told if told == 2 * limits.len() => {
                Some(Self { usages: Some(usages(limits, numbers).collect()), age: 0 })
            }
            _ => None,
        }
    }

    /// The same, so many nanoseconds later.
    pub(super) fn later(&self, nanos: u64) -> Self {
        Self { usages: self.usages.clone(), age: self.age.saturating_add(nanos) }
    }

    /// What this limit had left.
    fn left_of(&self, limit: &Limit) -> u32 {
        let of = |usage: &&Usage| usage.tightest_limit() == limit;
        self.usages.iter().flat_map(|usages| usages.iter()).find(of).map_or(0, Usage::remaining)
    }

    /// The state of the limits beside this one, which is told to have had so much left. Once the oldest unit of one of them has left, nobody knows it without asking
    /// again.
    pub(super) fn others(&self, named: &Limit, left: u32) -> Others {
        let age = self.age;
        let is_known =
            |usage: &Usage| usage.tightest_limit() == named || usage.live() == 0 || usage.reset_nanos() > age;
        match &self.usages {
            Some(usages) if usages.iter().all(is_known) => {
                Others::of(named, left, usages.iter().map(|usage| usage.later(age)))
            }
            _ => Others::untold(named, left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, Refusal};
    use crate::decider::Decider;

    const LIMITS: [Limit; 2] = [Limit::per_second(5), Limit::per_minute(100)];

    fn read(numbers: &[i64]) -> Option<Refusal> {
        Refusal::read(&LIMITS, numbers)
    }

    #[test]
    fn a_refusal_is_read_with_what_is_told_of_each_limit_and_without() {
        for numbers in [&[7][..], &[7, 0], &[7, 0, 5, 900_000, 31, 59_000_000]] {
            let refusal = read(numbers).expect("it is one");
            assert_eq!((refusal.by, refusal.retry_after), (LIMITS[0], 7_000));
        }
        let refusal = read(&[7, 1, 5, 900_000, 97, 59_000_000]).expect("it is one");
        assert_eq!(refusal.told("name", &LIMITS, Decider::Store).remaining(), 3);
    }

    #[test]
    fn numbers_that_say_nothing_are_no_refusal() {
        for numbers in
            [&[][..], &[0], &[-1], &[7, 2], &[7, -1], &[7, 0, 1], &[7, 0, 1, 1, 1], &[7, 0, 1, 1, 1, 1, 1]]
        {
            assert!(read(numbers).is_none(), "{numbers:?}");
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn what_was_told_is_told_until_it_is_no_longer_so() {
        let refusal = read(&[1_000_000, 0, 5, 1_000_000, 31, 59_000_000]).expect("it is one");
        let others = |age| {
            let snapshot = refusal.snapshot.later(age);
            Refusal { snapshot, ..refusal.clone() }.told("name", &LIMITS, Decider::Memory).others()
        };
        assert_eq!(others(0), [(LIMITS[1], 69, 59)]);
        assert_eq!(others(900_000_000), [(LIMITS[1], 69, 59)]);
        assert_eq!(others(58_999_999_999), [(LIMITS[1], 69, 1)]);
        assert_eq!(others(59_000_000_000), []);
    }
}

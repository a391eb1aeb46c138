//! What decides where the store cannot be asked: for each limiter what its policy says, and for the call all of them.

use super::decision::{Decided, Part, latest};
use crate::{
    decider::Decider,
    error::RateLimitExceeded,
    store::{
        call::Call, error::StoreError, limiter::divided, permit::SharedPermit, policy::OnStoreError,
        stand_in, store::RedisStore,
    },
};

/// Who decides. A limiter that refuses without the store refuses for all, and one that has a window decides for those that
/// let everything pass.
pub(super) fn decider(parts: &[Part<'_>]) -> Decider {
    let is_any = |policy| parts.iter().any(|part| part.policy() == policy);
    if is_any(OnStoreError::Deny) {
        Decider::Denied
    } else if is_any(OnStoreError::Local) {
        Decider::Local
    } else {
        Decider::Allowed
    }
}

/// Counts a decision that is made so: one of the store, and one of each limiter.
pub(super) fn count(store: &RedisStore, parts: &[Part<'_>], decider: Decider, why: StoreError) {
    for limiter in parts.iter().map(|part| part.call.limiter) {
        stand_in::tell(limiter, decider);
    }
    store.health().count_degraded(decider, why);
}

pub(super) fn decide(parts: Vec<Part<'_>>, by: Decider) -> Decided<'_> {
    if let Some(part) = parts.iter().find(|part| part.policy() == OnStoreError::Deny) {
        return Err(RateLimitExceeded::store_unavailable(part.call.limiter.name, part.limits[0]));
    }
    // All are looked at before one is charged, so that what one refuses takes nothing of the others.
    let decided = match latest(parts.iter().filter_map(Part::judge)) {
        Some(refusal) => Err(refusal),
        None => charge(parts),
    };
    decided.map_err(|refusal| refusal.decided_by(by))
}

/// Charges the windows of this process. Another call may have come since they were looked at: then what was taken is given
/// back.
fn charge(parts: Vec<Part<'_>>) -> Decided<'_> {
    let mut permits: Vec<SharedPermit<'_>> = Vec::with_capacity(parts.len());
    for part in parts {
        match part.charge() {
            Ok(permit) => permits.push(permit),
            Err(refusal) => {
                permits.into_iter().for_each(SharedPermit::refund);
                return Err(refusal);
            }
        }
    }
    Ok(permits)
}

impl<'l> Part<'l> {
    fn policy(&self) -> OnStoreError {
        self.call.limiter.on_error
    }

    /// Whether its window in this process refuses the call.
    fn judge(&self) -> Option<RateLimitExceeded> {
        if self.policy() != OnStoreError::Local {
            return None;
        }
        let Call { limiter, key, cost, .. } = &self.call;
        limiter.local.judge_for(key, &divided(&self.limits, limiter.replicas), *cost).err()
    }

    fn charge(self) -> Result<SharedPermit<'l>, RateLimitExceeded> {
        let Call { limiter, key, cost, .. } = self.call;
        let (_, decided) = stand_in::decide(limiter, &key, &self.limits, cost);
        decided.map(|(usage, source)| SharedPermit { limiter, usage, cost, source })
    }
}

#[cfg(test)]
mod tests {
    use super::{Decider, OnStoreError, Part, RedisStore, charge, decide, decider};
    use crate::{
        algorithm::Algorithm,
        limit::Limit,
        store::{call::Call, key::KeyText, limiter::SharedLimiter},
    };

    const ONE: [Limit; 1] = [Limit::per_hour(1)];
    const KEY: &str = "key";
    const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed];

    fn limiters(algorithm: Algorithm) -> [SharedLimiter; 2] {
        // Nobody is asked there.
        let store = RedisStore::open("redis://127.0.0.1:1").expect("it is an address");
        ["user", "address"].map(|name| {
            let limiter = SharedLimiter::builder(&store, name).limits(ONE).algorithm(algorithm);
            limiter.on_store_error(OnStoreError::Local).build().expect("it has a limit")
        })
    }

    fn parts(limiters: &[SharedLimiter; 2]) -> Vec<Part<'_>> {
        limiters.iter().map(|limiter| Part::of(Call::new(limiter, KEY, 1)).expect("it may fit")).collect()
    }

    /// How many units are live in the window that stands in, and whether any window has begun.
    fn state(limiter: &SharedLimiter) -> (u32, bool) {
        let usage = limiter.local.usage_for(&KeyText::of(KEY), &ONE);
        (usage.live(), !usage.reset_after().is_zero())
    }

    #[test]
    fn a_stand_in_that_refuses_leaves_the_others_as_they_were() {
        for algorithm in KINDS {
            let limiters = limiters(algorithm);
            limiters[1].local.check_for(&KeyText::of(KEY), &ONE, 1).expect("it is empty");
            let parts = parts(&limiters);
            let by = decider(&parts);
            let refusal = decide(parts, by).map(drop).expect_err("the second is full");
            assert_eq!((refusal.name(), refusal.decider()), ("address", Decider::Local));
            assert_eq!((state(&limiters[0]), state(&limiters[1])), ((0, false), (1, true)), "{algorithm:?}");
        }
    }

    /// As when another call comes between the look and the charge.
    #[test]
    fn a_stand_in_that_was_filled_meanwhile_takes_nothing_of_the_others() {
        for algorithm in KINDS {
            let limiters = limiters(algorithm);
            limiters[1].local.check_for(&KeyText::of(KEY), &ONE, 1).expect("it is empty");
            assert!(charge(parts(&limiters)).is_err());
            assert_eq!((state(&limiters[0]).0, state(&limiters[1]).0), (0, 1), "{algorithm:?}");
        }
    }
}

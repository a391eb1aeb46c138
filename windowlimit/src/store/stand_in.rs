//! What decides in place of the store.

use super::{
    call::usage,
    error::StoreError,
    key::KeyText,
    limiter::{SharedLimiter, divided},
    permit::Source,
    policy::OnStoreError,
};
use crate::{decider::Decider, error::RateLimitExceeded, limit::Limit, usage::Usage};

/// Decides on a call that the store cannot decide on.
pub(super) fn decide<'l>(
    limiter: &'l SharedLimiter,
    key: &KeyText,
    limits: &[Limit],
    cost: u32,
) -> (Decider, Result<(Usage, Source<'l>), RateLimitExceeded>) {
    match limiter.on_error {
        OnStoreError::Local => {
            let limits = divided(limits, limiter.replicas);
            let permit = limiter.local.try_acquire_for(key, &limits, cost);
            let permit = permit.map(|permit| (permit.usage(), Source::Local(permit)));
            (Decider::Local, permit.map_err(|refusal| refusal.decided_by(Decider::Local)))
        }
        OnStoreError::Allow => (Decider::Allowed, Ok((usage(limits, &[]), Source::Allowed))),
        OnStoreError::Deny => {
            let refusal = RateLimitExceeded::store_unavailable(limiter.name, limits[0]);
            (Decider::Denied, Err(refusal))
        }
    }
}

/// Counts a decision that was made so, and tells of it.
pub(super) fn count(limiter: &SharedLimiter, decider: Decider, why: StoreError) {
    tell(limiter, decider);
    limiter.store.health().count_degraded(decider, why);
}

/// The same of the limiter alone: several may have one decision of their store.
pub(super) fn tell(limiter: &SharedLimiter, decider: Decider) {
    limiter.count_degraded();
    #[cfg(any(feature = "metrics", feature = "tracing"))]
    crate::watch::telemetry::degraded(limiter.name, decider);
    #[cfg(not(any(feature = "metrics", feature = "tracing")))]
    let _ = decider;
}

//! Events, through `tracing`, of the target `windowlimit`: an admission at the level `trace`, a refusal at `debug`, a change
//! from outside at `info`, and what somebody should look at, at `warn`.

use std::fmt;

use tracing::{debug, info, trace, warn};

#[cfg(feature = "redis")]
use crate::{decider::Decider, store::StoreState};
use crate::{
    error::RateLimitExceeded,
    watch::{Held, Outcome, Unfit},
};

const TARGET: &str = "windowlimit";

pub(super) fn note(name: &'static str, outcome: Outcome<'_>) {
    match outcome {
        Outcome::Admitted => trace!(target: TARGET, limiter = name, "admitted"),
        Outcome::Waited => trace!(target: TARGET, limiter = name, "admitted after a wait"),
        // The retry time is made in the event, if anybody wants that: it may take a reading of the clock.
        Outcome::Refused(refusal) => {
            let reason = refusal.reason();
            debug!(target: TARGET, limiter = name, ?reason, retry_after = ?refusal.retry_after(), "refused");
        }
        Outcome::LetThrough(reason, refusal) => {
            let retry_after = || refusal.and_then(RateLimitExceeded::retry_after);
            debug!(target: TARGET, limiter = name, ?reason, retry_after = ?retry_after(), "let through, would be refused");
        }
    }
}

/// A store could not be asked.
#[cfg(feature = "redis")]
pub(super) fn degraded(name: &'static str, stand_in: Decider) {
    debug!(target: TARGET, limiter = name, decider = ?stand_in, "decided without the store");
}

/// A store was lost, or is back: once for each.
#[cfg(feature = "redis")]
pub(super) fn store_changed(state: &StoreState) {
    if let StoreState::Down(why) = state {
        warn!(target: TARGET, "the store cannot be asked, and calls are decided without it: {why}");
    } else {
        info!(target: TARGET, "the store is asked");
    }
}

/// Somebody has changed limiters from outside.
pub(crate) fn changed(name: &str, what: &dyn fmt::Display) {
    info!(target: TARGET, limiter = name, "changed: {what}");
}

/// Limiters of one name differ.
pub(crate) fn clash(name: &str, limiters: &[Held]) {
    let places: Vec<String> = limiters.iter().map(|held| held.get().watch().place().to_string()).collect();
    warn!(
        target: TARGET,
        limiter = name,
        "several limiters of this name differ in their limits or their kind of window: made at {}",
        places.join(", ")
    );
}

/// A limiter cannot have the limits that were asked for its name before it was first called.
pub(crate) fn unfit(held: &Held, why: &Unfit) {
    let (name, place) = (held.get().name(), held.get().watch().place());
    warn!(target: TARGET, limiter = name, "made at {place}, it keeps its limits: {why}");
}

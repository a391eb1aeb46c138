//! Decisions and changes, told to the `metrics` facade and to `tracing`: always by the name of the limiter, never by a key.

#[cfg(feature = "metrics")]
mod counters;
#[cfg(feature = "tracing")]
mod events;

#[cfg(feature = "metrics")]
pub(crate) use self::counters::describe;
#[cfg(feature = "tracing")]
pub(crate) use self::events::{changed, clash, unfit};
use super::Outcome;
#[cfg(feature = "redis")]
use crate::{decider::Decider, store::StoreState};

/// Tells who decided on a call in place of a store that could not be asked.
#[cfg(feature = "redis")]
pub(crate) fn degraded(name: &'static str, stand_in: Decider) {
    #[cfg(feature = "metrics")]
    counters::degraded(name, stand_in);
    #[cfg(feature = "tracing")]
    events::degraded(name, stand_in);
}

/// Tells that a store was lost, or is back.
#[cfg(feature = "redis")]
pub(crate) fn store_changed(state: &StoreState) {
    #[cfg(feature = "tracing")]
    events::store_changed(state);
    #[cfg(not(feature = "tracing"))]
    let _ = state;
}

/// Tells what came of a call.
pub(crate) fn note(name: &'static str, outcome: Outcome<'_>) {
    #[cfg(feature = "metrics")]
    counters::note(name, outcome);
    #[cfg(feature = "tracing")]
    events::note(name, outcome);
}

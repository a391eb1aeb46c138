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

/// Tells what came of a call.
pub(super) fn note(name: &'static str, outcome: Outcome<'_>) {
    #[cfg(feature = "metrics")]
    counters::note(name, outcome);
    #[cfg(feature = "tracing")]
    events::note(name, outcome);
}

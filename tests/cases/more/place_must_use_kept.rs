//@ warns: unused_must_use
// `#[must_use]` goes on working, on whichever side of the attribute it stands.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 1, window_ms = 60000)]
#[must_use]
pub fn answer() -> Option<u32> { Some(42) }
pub fn caller() { answer(); }

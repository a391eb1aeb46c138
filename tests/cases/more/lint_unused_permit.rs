//@ warns: unused_variables
// The permit is the user's variable: one that is not used is said so.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, permit = permit)]
pub fn f() -> Option<u32> { Some(1) }

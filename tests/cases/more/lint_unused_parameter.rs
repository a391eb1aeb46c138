//@ warns: unused_variables
// A parameter that only the guard would have seen is still unused.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f(n: u32) -> Option<u32> { Some(1) }

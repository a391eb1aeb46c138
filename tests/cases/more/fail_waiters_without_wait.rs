//@ fail: max_waiters & needs & wait ; n=1 ; at=max_waiters
// A bound on a line that nobody stands in.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, max_waiters = 5)]
pub fn f() -> Option<u32> { Some(1) }

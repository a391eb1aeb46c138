//@ fail: closure ; n=1 ; at=|a, b| 0
// F108: a closure takes the refusal and nothing else.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = |a, b| 0)]
pub fn f() -> u32 { 1 }

//@ fail: E0308 ; n=1 ; at="busy"
// F108: a fallback of another type is an error at the fallback.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = "busy")]
pub fn f() -> u32 { 1 }

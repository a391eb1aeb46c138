//@ fail: E0308 ; n=1 ; at="busy"
// `error` needs a `Result` to put it into.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, error = "busy")]
pub fn f() -> Option<u32> { None }

//@ clippy-warns: clippy::needless_return
// Written twice, and the body is still the user's.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window = "1m")]
#[window_rate_limit(limit = 50, window = "1h")]
pub fn f() -> Option<u32> { return Some(1); }

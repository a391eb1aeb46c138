//@ fail: fortnight ; n=1 ; at="1 fortnight"
// F100: an unreadable window is an error at the literal.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window = "1 fortnight")]
pub fn f() -> Option<u32> { None }

//@ fail: did you mean & limit ; n=1 ; at=lmit
use windowlimit::window_rate_limit;
#[window_rate_limit(lmit = 5, window_ms = 60000)]
pub fn f() -> Option<u32> { None }

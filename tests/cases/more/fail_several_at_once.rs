//@ fail: fallback & error ; n=4 ; at=fallback
// Each mistake is reported, and the function is there all the same: nothing says that it is missing.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 0, window_mss = -1, error = 1, fallback = 2)]
pub fn f() -> Option<u32> { None }
pub fn g() -> Option<u32> { f() }

//@ fail: skip & impl ; n=1 ; at=skip
use windowlimit::window_rate_limit;
#[window_rate_limit(skip)]
pub fn f() -> Option<u32> { None }

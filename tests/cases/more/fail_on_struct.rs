//@ fail: function | fn ; n=1 ; at=struct
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub struct S;
pub fn f() -> S { S }

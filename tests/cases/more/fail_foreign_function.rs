//@ fail: body ; n=1 ; at=abs
use windowlimit::window_rate_limit;
unsafe extern "C" {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    pub safe fn abs(n: i32) -> i32;
}
pub fn f() -> i32 { abs(1) }

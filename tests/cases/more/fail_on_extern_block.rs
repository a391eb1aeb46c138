//@ fail: function & impl ; n=1 ; at=extern
// The keyword is `extern`, whatever stands before it.
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
unsafe extern "C" {
    pub fn abs(x: i32) -> i32;
}

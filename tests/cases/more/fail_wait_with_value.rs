//@ fail: wait & stands alone & max_wait ; n=1 ; at==
// `wait` takes no value, and the error says what does.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, wait = "2s")]
pub fn f() -> Option<u32> { Some(1) }

//@ fail: max_waiters & u32 & a larger one ; n=3 ; at=5_000_000_000
// Each mistake at its token: the longest wait, the window, the number of those who wait.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window = "1 moon", max_wait = "0s", max_waiters = 5_000_000_000)]
pub async fn f() -> Option<u32> { Some(1) }

//@ fail: RateLimitExceeded & From ; n=1 ; at=impl Future<Output = Result<u32, String>>
// The async block has no type of its own that could be shown; the return type of the function has.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f() -> impl Future<Output = Result<u32, String>> { async { Ok(1) } }

//@ clippy-warns: clippy::manual_async_fn
// What is wrong with the function itself is still said.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f() -> impl Future<Output = Result<u32, E>> {
    async move { Ok(1) }
}

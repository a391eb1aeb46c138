//@ check-pass
//@ deps: tokio
// Over and under `#[tokio::test]` and `#[test]`: check builds no tests, but the attribute still expands.
use windowlimit::window_rate_limit;
#[tokio::test]
#[window_rate_limit(limit = 1, window_ms = 60000)]
async fn a() -> Result<(), windowlimit::RateLimitExceeded> { Ok(()) }
#[window_rate_limit(limit = 1, window_ms = 60000)]
#[tokio::test]
async fn b() -> Result<(), windowlimit::RateLimitExceeded> { Ok(()) }
#[window_rate_limit(limit = 1, window_ms = 60000)]
#[test]
fn c() -> Result<(), windowlimit::RateLimitExceeded> { Ok(()) }

//@ run-pass
//@ deps: tokio
// Functions with parameters under and over `#[tokio::main]` and `#[tokio::test]`.
use windowlimit::window_rate_limit;
#[tokio::test]
#[window_rate_limit(limit = 1, window = "1m")]
async fn a() -> Result<(), windowlimit::RateLimitExceeded> {
    Ok(())
}
#[window_rate_limit(limit = 1, window = "1m")]
#[tokio::test(flavor = "current_thread")]
async fn b() -> Result<(), windowlimit::RateLimitExceeded> {
    Ok(())
}
#[window_rate_limit(limit = 1, window = "1m", fallback = 5)]
#[tokio::main(flavor = "current_thread")]
async fn c(n: u32) -> u32 {
    tokio::task::yield_now().await;
    n
}
#[tokio::main(flavor = "current_thread")]
#[window_rate_limit(limit = 1, window = "1m", fallback = 5)]
async fn d(n: u32) -> u32 {
    n
}
fn main() {
    assert_eq!((c(1), c(1), d(1), d(1)), (1, 5, 1, 5));
}

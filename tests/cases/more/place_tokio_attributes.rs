//@ run-pass
//@ deps: tokio
// Both orders with `#[tokio::main]`: one call takes one unit.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 2, window_ms = 60000)]
#[tokio::main(flavor = "current_thread")]
async fn over() -> Result<u32, E> { tokio::task::yield_now().await; Ok(1) }
#[tokio::main(flavor = "current_thread")]
#[window_rate_limit(limit = 2, window_ms = 60000)]
async fn under() -> Result<u32, E> { tokio::task::yield_now().await; Ok(1) }
fn main() {
    assert!(over().is_ok() && over().is_ok() && over().is_err());
    assert!(under().is_ok() && under().is_ok() && under().is_err());
}

//@ run-pass
//@ deps: futures
// An `async fn` whose value is itself a boxed future, and a plain function whose last block is no future.
use futures::executor::block_on;
use std::pin::Pin;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000)]
async fn f() -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send>> { Box::pin(async { Ok(1) }) }
fn main() {
    assert_eq!(block_on(block_on(f())).ok(), Some(1));
    assert!(block_on(block_on(f())).is_err());
}

//@ run-pass
//@ deps: tracing futures
// Both orders with `#[tracing::instrument]`, also on a function that boxes its future: one call takes one unit.
use futures::executor::block_on;
use std::pin::Pin;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000)]
#[tracing::instrument]
async fn over() -> Result<u32, E> { Ok(1) }
#[tracing::instrument]
#[window_rate_limit(limit = 1, window_ms = 60000)]
async fn under() -> Result<u32, E> { Ok(1) }
#[tracing::instrument]
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn boxed() -> Pin<Box<dyn Future<Output = Result<u32, E>>>> { Box::pin(async move { Ok(1) }) }
#[window_rate_limit(limit = 1, window_ms = 60000)]
#[tracing::instrument]
fn boxed_too() -> Pin<Box<dyn Future<Output = Result<u32, E>>>> { Box::pin(async move { Ok(1) }) }
fn main() {
    assert!(block_on(over()).is_ok() && block_on(over()).is_err());
    assert!(block_on(under()).is_ok() && block_on(under()).is_err());
    drop((boxed(), boxed_too()));
    assert!(block_on(boxed()).is_ok() && block_on(boxed()).is_err());
    assert!(block_on(boxed_too()).is_ok() && block_on(boxed_too()).is_err());
}

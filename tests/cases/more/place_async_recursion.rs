//@ run-pass
//@ deps: async-recursion futures
// Under and over `#[async_recursion]`: each call takes one unit.
use async_recursion::async_recursion;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[async_recursion]
#[window_rate_limit(limit = 3, window_ms = 60000)]
async fn a(n: u32) -> Result<u32, E> { if n == 0 { Ok(0) } else { Ok(a(n - 1).await? + 1) } }
#[window_rate_limit(limit = 3, window_ms = 60000)]
#[async_recursion]
async fn b(n: u32) -> Result<u32, E> { if n == 0 { Ok(0) } else { Ok(b(n - 1).await? + 1) } }
#[window_rate_limit(limit = 3, window_ms = 60000)]
#[async_recursion(?Send)]
async fn c(n: u32) -> Result<u32, E> { if n == 0 { Ok(0) } else { Ok(c(n - 1).await? + 1) } }
fn main() {
    use futures::executor::block_on;
    for _ in 0..9 { drop(a(9)); drop(b(9)); drop(c(9)); }
    assert_eq!((block_on(a(2)).ok(), block_on(b(2)).ok(), block_on(c(2)).ok()), (Some(2), Some(2), Some(2)));
    assert!(block_on(a(0)).is_err() && block_on(b(0)).is_err() && block_on(c(0)).is_err());
}

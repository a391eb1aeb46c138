//@ run-pass
// A future that waits has room for its turn, and for nothing else: none of it while the body runs.
use windowlimit::{Acquire, RateLimitExceeded as E, window_rate_limit};
async fn plain(n: u64) -> Result<u64, E> { std::future::ready(()).await; Ok(n) }
#[window_rate_limit(limit = 5, window = "1m", wait, max_waiters = 5, error = |e| e)]
async fn waits(n: u64) -> Result<u64, E> { std::future::ready(()).await; Ok(n) }
#[window_rate_limit(limit = 5, window = "1m", wait, key = n, cost = n as u32, skip_if = n == 0)]
async fn keyed(n: u64) -> Result<u64, E> { std::future::ready(()).await; Ok(n) }
fn block(n: u64) -> impl Future<Output = Result<u64, E>> { async move { std::future::ready(()).await; Ok(n) } }
#[window_rate_limit(limit = 5, window = "1m", max_wait_ms = 5)]
fn limited_block(n: u64) -> impl Future<Output = Result<u64, E>> { async move { std::future::ready(()).await; Ok(n) } }
async fn large(n: u64) -> Result<u64, E> { let a = [n; 200]; std::future::ready(()).await; Ok(a[3]) }
#[window_rate_limit(limit = 5, window = "1m", wait)]
async fn large_waits(n: u64) -> Result<u64, E> { let a = [n; 200]; std::future::ready(()).await; Ok(a[3]) }
fn main() {
    let turn = size_of::<Acquire<'static>>();
    assert!(size_of_val(&waits(1)) <= size_of_val(&plain(1)) + turn);
    assert!(size_of_val(&keyed(1)) <= size_of_val(&plain(1)) + turn);
    assert!(size_of_val(&limited_block(1)) <= size_of_val(&block(1)) + turn);
    // The body and the wait share their place; the parameter is kept through both.
    assert!(size_of_val(&large_waits(1)) <= size_of_val(&large(1)) + 2 * size_of::<u64>());
}

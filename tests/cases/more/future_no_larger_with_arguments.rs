//@ run-pass
// No argument but `permit` makes a future larger, and an async block at the end does not grow.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
async fn plain(n: u64) -> Result<u64, E> { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) }
#[window_rate_limit(limits = [(5, "1m"), (50, "1h")], skip_if = n == 0, cost = n as u32, algorithm = segmented(10), fallback = |e| Err(e))]
async fn limited(n: u64) -> Result<u64, E> { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) }
fn block(n: u64) -> impl Future<Output = Result<u64, E>> { async move { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) } }
#[window_rate_limit(limit = 5, window = "1m")]
fn limited_block(n: u64) -> impl Future<Output = Result<u64, E>> { async move { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) } }
fn main() {
    assert!(size_of_val(&limited(1)) <= size_of_val(&plain(1)));
    assert!(size_of_val(&limited_block(1)) <= size_of_val(&block(1)));
}

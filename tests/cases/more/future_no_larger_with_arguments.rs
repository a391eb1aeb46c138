//@ run-pass
// No argument but `permit` makes a future larger, and an async block at the end does not grow.
use windowlimit::{Limit, RateLimitExceeded as E, window_rate_limit};
async fn plain(n: u64) -> Result<u64, E> { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) }
#[window_rate_limit(limits = [(5, "1m"), (50, "1h")], skip_if = n == 0, cost = n as u32, algorithm = segmented(10), fallback = |e| Err(e))]
async fn limited(n: u64) -> Result<u64, E> { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) }
// What a key borrows from lives as long as the function: a reference is not borrowed but copied.
async fn plain_name(name: &str) -> Result<u64, E> { let a = [name.len() as u64; 16]; std::future::ready(()).await; Ok(a[3]) }
#[window_rate_limit(window = "1h", key = (*name, 1), limit_for = [Limit::per_minute(5), Limit::per_hour(50)], skip_if = name.is_empty(), cost = name.len() as u32, max_keys = 100, fallback = |e| Err(e))]
async fn keyed(name: &str) -> Result<u64, E> { let a = [name.len() as u64; 16]; std::future::ready(()).await; Ok(a[3]) }
#[window_rate_limit(limit = 5, window = "1h", key = name.len())]
async fn keyed_by_value(name: &str) -> Result<u64, E> { let a = [name.len() as u64; 16]; std::future::ready(()).await; Ok(a[3]) }
fn block(n: u64) -> impl Future<Output = Result<u64, E>> { async move { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) } }
#[window_rate_limit(limit = 5, window = "1m")]
fn limited_block(n: u64) -> impl Future<Output = Result<u64, E>> { async move { let a = [n; 16]; std::future::ready(()).await; Ok(a[3]) } }
fn main() {
    assert!(size_of_val(&limited(1)) <= size_of_val(&plain(1)));
    assert!(size_of_val(&keyed("")) <= size_of_val(&plain_name("")));
    assert!(size_of_val(&keyed_by_value("")) <= size_of_val(&plain_name("")));
    assert!(size_of_val(&limited_block(1)) <= size_of_val(&block(1)));
}

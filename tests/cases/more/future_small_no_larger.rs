//@ run-pass
// Futures that hold next to nothing are as large as without the attribute.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
async fn plain(s: String) -> Result<usize, E> {
    Ok(s.len())
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
async fn a(s: String) -> Result<usize, E> {
    Ok(s.len())
}
#[window_rate_limit(limit = 5, window_ms = 60000, error = |e| e, skip_if = s.is_empty())]
async fn b(s: String) -> Result<usize, E> {
    Ok(s.len())
}
async fn plain2(s: String) -> Result<usize, E> {
    std::future::ready(()).await;
    Ok(s.len())
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
async fn c(s: String) -> Result<usize, E> {
    std::future::ready(()).await;
    Ok(s.len())
}
fn main() {
    let s = || String::new();
    assert_eq!(size_of_val(&plain(s())), size_of_val(&a(s())));
    assert_eq!(size_of_val(&plain(s())), size_of_val(&b(s())));
    assert_eq!(size_of_val(&plain2(s())), size_of_val(&c(s())));
}

//@ check-pass
//@ edition: 2018
// The lints that prepare for later editions have nothing to say.
#![deny(
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    future_incompatible,
    unused,
    nonstandard_style
)]
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window_ms = 60000, skip_if = n > 9, permit = p)]
pub fn f(n: u32) -> Result<u32, E> {
    let v = vec![n];
    Ok(v[0] + p.remaining())
}
#[window_rate_limit(limits = [(5, "1s"), (n(), "1s")])]
pub async fn g(s: &str) -> Result<&str, E> {
    Ok(s)
}
fn n() -> u32 {
    5
}
#[window_rate_limit(limit = 5, window_ms = 60000, error = |e| e.to_string())]
pub fn h() -> Result<u32, String> {
    Ok(1)
}

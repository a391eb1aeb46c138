//@ run-pass
// Conditions with `?`, `if let`, `matches!`, closures and `.await`.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window = "1m", skip_if = is_free(s)?)]
fn a(s: &str) -> Result<u32, E> {
    Ok(s.len() as u32)
}
fn is_free(s: &str) -> Result<bool, E> {
    Ok(s == "free")
}
#[window_rate_limit(limit = 1, window = "1m", skip_if = if let Some(x) = o { *x == 3 } else { false })]
fn b(o: &Option<u8>) -> Option<u8> {
    *o
}
#[window_rate_limit(limit = 1, window = "1m", skip_if = matches!(o, Some(3)) && !o.is_none())]
fn c(o: Option<u8>) -> Option<u8> {
    o
}
#[window_rate_limit(limit = 1, window = "1m", skip_if = cfg!(test) || (|| false)())]
fn d() -> Option<u8> {
    Some(1)
}
#[window_rate_limit(limit = 1, window = "1m", skip_if = ready(true).await)]
async fn e() -> Option<u8> {
    Some(1)
}
use std::future::ready;
fn main() {
    assert!(a("free").is_ok() && a("free").is_ok() && a("x").is_ok() && a("x").is_err());
    assert!(b(&Some(3)).is_some() && b(&Some(3)).is_some() && b(&Some(1)).is_some() && b(&Some(1)).is_none());
    assert!(c(Some(3)).is_some() && c(Some(3)).is_some());
    assert!(d().is_some() && d().is_none());
    drop(e());
}

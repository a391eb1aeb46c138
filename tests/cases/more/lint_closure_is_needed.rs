//@ clippy-clean
// The closure is what says that there is something to call: the name of a function would be the error itself.
#![deny(clippy::all, clippy::pedantic)]
#![allow(clippy::missing_errors_doc, clippy::needless_pass_by_value)]
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[derive(Debug)]
pub struct Wrapped(pub E);
#[window_rate_limit(limit = 5, window_ms = 60000, error = |e| Wrapped(e))]
pub fn f() -> Result<u32, Wrapped> {
    Ok(1)
}
#[window_rate_limit(limit = 5, window_ms = 60000, error = |e| e.to_string())]
pub fn g() -> Result<u32, String> {
    Ok(1)
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = |e| say(e))]
pub fn h() {
    println!();
}
fn say(e: E) {
    println!("{e}");
}

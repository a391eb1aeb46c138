//@ clippy-clean
// What is expected of the user's function is found in it.
#![warn(clippy::pedantic)]
#![allow(clippy::missing_errors_doc)]
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[expect(unused_variables, clippy::needless_return)]
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f(x: u32) -> Result<u32, E> {
    let y = 1;
    return Ok(2);
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
#[expect(clippy::unused_async, clippy::needless_lifetimes)]
pub async fn g<'a>(x: &'a u32) -> Result<&'a u32, E> {
    Ok(x)
}
#[expect(deprecated)]
#[window_rate_limit(limit = 5, window_ms = 60000, error = old())]
pub fn h() -> Result<u32, u32> {
    Ok(2)
}
#[deprecated]
#[must_use]
pub fn old() -> u32 {
    1
}
#[expect(clippy::inline_always)]
#[window_rate_limit(limit = 5, window_ms = 60000)]
#[inline(always)]
pub fn i() -> Result<u32, E> {
    Ok(2)
}

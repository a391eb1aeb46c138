//@ clippy-warns: clippy::needless_lifetimes
// The return type is repeated in the body, where it must not count as a use of its lifetimes.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f<'a>(s: &'a str) -> Result<&'a str, E> {
    Ok(s)
}

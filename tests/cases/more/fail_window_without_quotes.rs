//@ fail: "5s" ; n=1 ; at=5s
// A number with a unit is no expression; the message writes it as text.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window = 5s)]
pub fn f() -> Result<u32, E> {
    Ok(1)
}

//@ run-pass
// F104: no name of the guard is seen by the body, and none of the user's is taken.
use std::time::Instant;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn f(current_time: Instant, __windowlimit_refusal: u8, __windowlimit_limiter: u8, limit: u8) -> Result<(Instant, u32), E> {
    Ok((current_time, u32::from(__windowlimit_refusal) + u32::from(__windowlimit_limiter) + u32::from(limit)))
}
fn main() {
    let then = Instant::now();
    assert_eq!(f(then, 1, 2, 3).ok(), Some((then, 6)));
}

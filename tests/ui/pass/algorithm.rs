use std::time::Duration;

use windowlimit::{RateLimitExceeded, window_rate_limit};

const LENGTH: Duration = Duration::from_millis(100);

#[window_rate_limit(limit = 5, window = "1m", algorithm = exact)]
fn exact() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limit = 5, window = "1m", algorithm = fixed)]
fn fixed(fixed: u32) -> Result<u32, RateLimitExceeded> {
    Ok(fixed)
}

#[window_rate_limit(limit = 5, window = "1h", algorithm = segmented("36ms"))]
fn segmented(segmented: u32) -> Result<u32, RateLimitExceeded> {
    Ok(segmented)
}

#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(LENGTH))]
fn of_a_constant() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {
    assert!(exact().is_ok() && fixed(1).is_ok() && segmented(1).is_ok() && of_a_constant().is_ok());
}

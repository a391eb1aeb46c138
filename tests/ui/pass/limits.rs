use std::time::Duration;

use windowlimit::{Limit, RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limits = [(10, "1s"), (100, Duration::from_secs(60)), Limit::per_hour(1000)])]
fn mixed() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limits = vec![Limit::per_hour(1000)])]
fn expression() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {
    assert!(mixed().is_ok() && expression().is_ok());
}

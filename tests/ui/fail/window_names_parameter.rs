use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = window)]
fn f(window: std::time::Duration) -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window_ms = 60000, max_keys = 100)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", max_wait_ms = "2s")]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

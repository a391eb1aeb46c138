use windowlimit::{RateLimitExceeded, window_rate_limit};

const PATIENCE: u32 = 2000;

#[window_rate_limit(limit = 5, window = "1m", max_wait_ms = PATIENCE)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

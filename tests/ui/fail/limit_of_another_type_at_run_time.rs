use windowlimit::{RateLimitExceeded, window_rate_limit};

const CALLS: u64 = 5;

#[window_rate_limit(limit = CALLS, window_ms = 60000)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

fn minute() -> u64 {
    60
}

#[window_rate_limit(limit = 5, window = minute())]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

const SEGMENTS: u64 = 10;

#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(SEGMENTS))]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

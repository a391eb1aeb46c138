use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(n))]
fn f(n: u32) -> Result<u32, RateLimitExceeded> {
    Ok(n)
}

fn main() {}

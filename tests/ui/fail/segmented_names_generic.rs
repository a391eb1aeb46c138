use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(N))]
fn f<const N: u32>() -> Result<u32, RateLimitExceeded> {
    Ok(N)
}

fn main() {}

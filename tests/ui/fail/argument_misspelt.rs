use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limt = 5, windowms = 60000)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

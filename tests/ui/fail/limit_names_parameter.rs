use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = n, window_ms = 60000)]
fn f(n: u32) -> Result<u32, RateLimitExceeded> {
    Ok(n)
}

fn main() {}

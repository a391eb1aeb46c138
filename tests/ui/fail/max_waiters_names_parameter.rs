use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", wait, max_waiters = most)]
fn f(most: u32) -> Result<u32, RateLimitExceeded> {
    Ok(most)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

const MOST: usize = 5;

#[window_rate_limit(limit = 5, window = "1m", wait, max_waiters = MOST)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

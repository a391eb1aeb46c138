use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", wait, max_waiters = 5usize)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", wait, max_wait_ms = 5, max_wait = "2s", max_waiters = 3)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

const KEYS: u64 = 5;

#[window_rate_limit(limit = 5, window_ms = 60000, key = user, max_keys = KEYS)]
fn f(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

fn main() {}

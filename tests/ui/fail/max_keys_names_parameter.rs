use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window_ms = 60000, key = user, max_keys = user)]
fn f(user: usize) -> Result<u32, RateLimitExceeded> {
    Ok(user as u32)
}

fn main() {}

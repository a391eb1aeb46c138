use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(window = "1m", key = user, limit_for = 5)]
fn f(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

fn main() {}

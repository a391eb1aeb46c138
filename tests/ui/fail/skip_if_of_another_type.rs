use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window_ms = 60000, skip_if = admin)]
fn f(admin: u32) -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

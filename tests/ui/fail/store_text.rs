use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", name = "login", store = "redis://127.0.0.1")]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

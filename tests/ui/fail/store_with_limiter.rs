use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limiter = LIMITER, store = REDIS)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

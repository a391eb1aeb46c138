use windowlimit::{RateLimitExceeded, window_rate_limit};

static SHARED: u32 = 5;

#[window_rate_limit(limiter = SHARED, key = user)]
fn f(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

fn main() {}

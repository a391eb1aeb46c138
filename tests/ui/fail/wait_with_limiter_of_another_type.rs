use windowlimit::{RateLimitExceeded, window_rate_limit};

static SHARED: u32 = 5;

#[window_rate_limit(limiter = SHARED, wait)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limiter = SHARED, wait)]
async fn g() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

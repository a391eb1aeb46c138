use windowlimit::{Limit, RateLimitExceeded, window_rate_limit};

#[window_rate_limit(window = "1m", limit_for = limit)]
fn f(limit: Limit) -> Result<u32, RateLimitExceeded> {
    Ok(limit.max())
}

fn main() {}

use windowlimit::{Limit, RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", key = user, limit_for = limit)]
fn f(user: u32, limit: Limit) -> Result<u32, RateLimitExceeded> {
    Ok(user + limit.max())
}

fn main() {}

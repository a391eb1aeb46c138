use windowlimit::{Limit, RateLimitExceeded, window_rate_limit};

#[window_rate_limit(window = "1m", key = user, limit_for = limit)]
fn f(user: u32, limit: Option<Limit>) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

fn main() {}

use windowlimit::{KeyedLimiter, Limit, RateLimitExceeded, window_rate_limit};

static SHARED: KeyedLimiter = KeyedLimiter::new("shared", Limit::per_minute(5));

#[window_rate_limit(limiter = SHARED, key = user, limit_for = limit)]
fn f(user: u32, limit: Limit) -> Result<u32, RateLimitExceeded> {
    Ok(user + limit.max())
}

fn main() {}

use windowlimit::{KeyedLimiter, Limit, RateLimitExceeded, window_rate_limit};

static SHARED: KeyedLimiter = KeyedLimiter::new("shared", Limit::per_minute(5));

#[window_rate_limit(limiter = SHARED, key = user, max_keys = 100)]
fn f(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

fn main() {}

use std::sync::Arc;

use windowlimit::{KeyedLimiter, Limit, RateLimitExceeded, window_rate_limit};

static SHARED: KeyedLimiter = KeyedLimiter::new("shared", Limit::per_minute(5));

#[window_rate_limit(limiter = SHARED, wait)]
async fn f(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

#[window_rate_limit(limiter = limiter, cost = 2, max_wait_ms = 5, permit = permit)]
async fn g(limiter: &Arc<KeyedLimiter>, user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user + permit.remaining())
}

fn main() {}

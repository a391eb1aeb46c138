use std::sync::Arc;

use windowlimit::{Limit, Limiter, RateLimitExceeded, window_rate_limit};

static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(5));

#[window_rate_limit(limiter = SHARED, key = user, wait)]
async fn f(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

#[window_rate_limit(limiter = limiter, key = user, max_wait = "2s", permit = permit)]
async fn g(limiter: &Arc<Limiter>, user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user + permit.remaining())
}

fn main() {}

use windowlimit::{Limit, Limiter, RateLimitExceeded, window_rate_limit};

static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(5));

#[window_rate_limit(algorithm = fixed, limiter = SHARED)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

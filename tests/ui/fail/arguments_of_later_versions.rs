use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(window = "1m", key = user, limit_for = plan, max_keys = 10, wait, max_wait_ms = 5, max_wait = "2s", max_waiters = 3, store = redis, on_store_error = local)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

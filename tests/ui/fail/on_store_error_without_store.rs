use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", name = "login", on_store_error = deny)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 0, windw = "1 moon", error = 1, fallback = 2, colour = red)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

fn patience() -> u64 {
    2
}

#[window_rate_limit(limit = 5, window = "1m", max_wait = patience())]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

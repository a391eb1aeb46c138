use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limits = [(0, "1s"), (10, 60), (100, "1 moon")])]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

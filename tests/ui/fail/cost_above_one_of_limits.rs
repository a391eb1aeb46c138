use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limits = [(10, "1s"), (100, "1m")], cost = 20)]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limits = [(10, "1s")], window = "1m")]
fn f() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

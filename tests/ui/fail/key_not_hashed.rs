use windowlimit::{RateLimitExceeded, window_rate_limit};

struct Visitor;

#[window_rate_limit(limit = 5, window_ms = 60000, key = visitor)]
fn f(visitor: &Visitor) -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

trait Plan {
    const LIMIT: u32;
}

#[window_rate_limit(limit = T::LIMIT, window_ms = 60000)]
fn f<T: Plan>() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

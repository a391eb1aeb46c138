use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", cost = rows.len())]
fn f(rows: &[u32]) -> Result<u32, RateLimitExceeded> {
    Ok(rows[0])
}

fn main() {}

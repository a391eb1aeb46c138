use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", max_wait = patience)]
async fn f(patience: std::time::Duration) -> Result<u32, RateLimitExceeded> {
    Ok(patience.as_secs() as u32)
}

fn main() {}

use windowlimit::{RateLimitExceeded, window_rate_limit};

struct Service {
    patience: u64,
}

impl Service {
    #[window_rate_limit(limit = 5, window = "1m", max_wait_ms = self.patience)]
    fn f(&self) -> Result<u32, RateLimitExceeded> {
        Ok(1)
    }
}

#[window_rate_limit(limit = 5, window = "1m", wait, max_waiters = N)]
fn g<const N: u32>() -> Result<u32, RateLimitExceeded> {
    Ok(N)
}

fn main() {}

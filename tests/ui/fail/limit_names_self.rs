use windowlimit::{RateLimitExceeded, window_rate_limit};

struct Service {
    limit: u32,
}

impl Service {
    #[window_rate_limit(limit = self.limit, window_ms = 60000)]
    fn f(&self) -> Result<u32, RateLimitExceeded> {
        Ok(1)
    }

    #[window_rate_limit(limit = Self::LIMIT, window_ms = 60000)]
    fn g(&self) -> Result<u32, RateLimitExceeded> {
        Ok(1)
    }
}

fn main() {}

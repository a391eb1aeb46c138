use windowlimit::{RateLimitExceeded, window_rate_limit};

struct Api;

impl Api {
    #[window_rate_limit(limit = 5, window = "1m", name = "login", store = self.redis)]
    fn f(&self) -> Result<u32, RateLimitExceeded> {
        Ok(1)
    }
}

fn main() {}

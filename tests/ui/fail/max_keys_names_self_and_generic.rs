use windowlimit::{RateLimitExceeded, window_rate_limit};

struct Service {
    keys: usize,
}

impl Service {
    #[window_rate_limit(limit = 5, window_ms = 60000, key = user, max_keys = self.keys)]
    fn f(&self, user: u32) -> Result<u32, RateLimitExceeded> {
        Ok(user)
    }
}

#[window_rate_limit(limit = 5, window_ms = 60000, key = user, max_keys = N)]
fn g<const N: usize>(user: u32) -> Result<u32, RateLimitExceeded> {
    Ok(user)
}

fn main() {}

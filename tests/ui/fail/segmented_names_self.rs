use windowlimit::{RateLimitExceeded, window_rate_limit};

struct S {
    n: u32,
}

impl S {
    #[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(self.n))]
    fn f(&self) -> Result<u32, RateLimitExceeded> {
        Ok(self.n)
    }
}

fn main() {}

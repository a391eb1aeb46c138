use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", error = "busy".to_string())]
fn error() -> Result<u32, String> {
    Ok(1)
}

#[window_rate_limit(limit = 5, window = "1m", error = |refusal: RateLimitExceeded| refusal.limit())]
fn closure() -> Result<u32, u32> {
    Ok(1)
}

#[window_rate_limit(limit = 5, window = "1m", fallback = 0)]
fn fallback() -> u32 {
    1
}

#[window_rate_limit(limit = 5, window = "1m", fallback = ())]
fn nothing() {}

fn main() {
    assert!(error().is_ok() && closure().is_ok());
    assert_eq!(fallback(), 1);
    nothing();
}

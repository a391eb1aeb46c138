use std::time::Duration;

use windowlimit::{RateLimitExceeded, window_rate_limit};

const CALLS: u32 = 5;

#[window_rate_limit(limit = 4_294_967_295u32, window_ms = 18_446_744_073_709_551_615)]
fn largest() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limit = CALLS, window = Duration::from_secs(CALLS as u64),)]
fn constant() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(window = "1 month 2weeks 0.5ms", limit = 5)]
fn text() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

// A variable of the expression's own has nothing to do with the parameter.
#[window_rate_limit(limit = { let n = 5; n }, window = "1m")]
fn own_variable(n: u32) -> Result<u32, RateLimitExceeded> {
    Ok(n)
}

fn main() {
    assert!(largest().is_ok() && constant().is_ok() && text().is_ok() && own_variable(1).is_ok());
}

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 5, window = "1m", cost = 5)]
fn of_the_whole_limit() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limit = 5, window = "1m", cost = 0)]
fn of_nothing() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limits = [(10, "1s"), (100, "1m")], cost = rows.len() as u32)]
fn of_its_rows(rows: &[u32]) -> Result<u32, RateLimitExceeded> {
    Ok(rows[0])
}

fn main() {
    assert!(of_the_whole_limit().is_ok() && of_nothing().is_ok() && of_its_rows(&[1, 2]).is_ok());
}

use windowlimit::{RateLimitExceeded, window_rate_limit};

struct Place {
    name: String,
    height: f64,
}

#[window_rate_limit(limit = 5, window_ms = 60000, key = (place.name, (1, place.height)))]
fn f(place: &Place) -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

fn main() {}

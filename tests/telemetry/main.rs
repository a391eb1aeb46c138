//! What is told of decisions, through `metrics` and `tracing`: `cargo test -p windowlimit-tests --features telemetry`.
//!
//! With these features no limiter is decided in the plain way, so this is a run of its own.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod counters;
mod events;
mod third_crate;

use windowlimit::{RateLimitExceeded, window_rate_limit};

#[window_rate_limit(limit = 2, window = "1m", name = "login")]
fn login() -> Result<(), RateLimitExceeded> {
    Ok(())
}

#[window_rate_limit(limit = 2, window = "1m", name = "search", key = user, max_keys = 1, cost = cost)]
fn search(user: &str, cost: u32) -> Result<(), RateLimitExceeded> {
    Ok(())
}

//! Limiters as they are seen and changed from outside, and in the scopes of tests.
//!
//! Every test is in a scope of its own, in which the registry is empty at first, but for those in `process`.
#![forbid(unsafe_code)]
// The model checker's atomics are not `const`: under it there is no attribute.
#![cfg(not(windowlimit_loom))]

mod changes;
mod configuration;
mod counted;
mod listing;
mod process;
mod scopes;
#[path = "../telemetry/third_crate.rs"]
mod third_crate;
mod waiting;

use windowlimit::{Permit, RateLimitExceeded, window_rate_limit};

/// Two a minute.
#[window_rate_limit(limit = 2, window = "1m", name = "login")]
fn login() -> Result<(), RateLimitExceeded> {
    Ok(())
}

/// Two a minute for each user.
#[window_rate_limit(limit = 2, window = "1m", name = "search", key = user)]
fn search(user: &str) -> Result<(), RateLimitExceeded> {
    Ok(())
}

/// Whatever the clients' plan says.
#[window_rate_limit(key = user, limit_for = windowlimit::Limit::per_minute(1), window = "1h", name = "plan")]
fn plan(user: &str) -> Result<(), RateLimitExceeded> {
    Ok(())
}

/// How much was taken, and how much is left.
#[window_rate_limit(limit = 3, window = "1m", name = "permits", permit = permit)]
fn permits() -> Result<(u32, u32), RateLimitExceeded> {
    Ok((permit.cost(), permit.remaining()))
}

/// The permit itself.
#[window_rate_limit(limit = 1, window = "1m", name = "given_out", permit = permit)]
fn given_out() -> Result<Permit<'static>, RateLimitExceeded> {
    Ok(permit)
}

/// How many of so many calls come through.
fn admitted<T>(calls: usize, call: impl Fn() -> Result<T, RateLimitExceeded>) -> usize {
    (0..calls).filter(|_| call().is_ok()).count()
}

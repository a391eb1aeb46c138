//! What is told of decisions, through `metrics` and `tracing`: `cargo test -p windowlimit-tests --features telemetry`.
//!
//! With these features no limiter is decided in the plain way, so this is a run of its own.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod counters;
mod events;
#[allow(dead_code)] // the tests of the store itself use all of it
#[path = "../redis/server.rs"]
mod server;
mod store;
mod third_crate;

use std::sync::{Mutex, MutexGuard, PoisonError};

use windowlimit::{RateLimitExceeded, window_rate_limit};

/// Tests that have a store: one of them listens to what all stores of the process tell.
static STORES: Alone = Alone(Mutex::new(()));

struct Alone(Mutex<()>);

impl Alone {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[window_rate_limit(limit = 2, window = "1m", name = "login")]
fn login() -> Result<(), RateLimitExceeded> {
    Ok(())
}

#[window_rate_limit(limit = 2, window = "1m", name = "search", key = user, max_keys = 1, cost = cost)]
fn search(user: &str, cost: u32) -> Result<(), RateLimitExceeded> {
    Ok(())
}

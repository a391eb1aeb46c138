//@ clippy-clean
//! Docs.
#![forbid(warnings, unsafe_code, missing_docs, unused, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery)]
use std::time::Duration;
use windowlimit::{Limit, Limiter, RateLimitExceeded, window_rate_limit};
/// A constant.
pub const PATIENCE: Duration = Duration::from_secs(2);
static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(5));
/// One.
///
/// # Errors
/// When called too often.
#[window_rate_limit(limit = 5, window = "1m", max_wait = PATIENCE, max_waiters = 100)]
pub fn one(x: u32) -> Result<u32, RateLimitExceeded> { Ok(x.wrapping_add(1)) }
/// Two.
#[window_rate_limit(limits = [(10, "1s"), (100, "1m")], wait, fallback = Vec::new())]
pub async fn two(x: &u32) -> Vec<u32> { vec![*x] }
/// Three.
///
/// # Errors
/// When called too often.
#[window_rate_limit(limiter = SHARED, wait, skip_if = name.is_empty(), permit = permit, error = |e| e.to_string())]
pub async fn three(name: String) -> Result<String, String> { std::future::ready(()).await; Ok(format!("{name}{}", permit.remaining())) }
/// Four.
pub struct Four;
#[window_rate_limit(limit = 5, window = "1m", max_wait_ms = 10)]
impl Four {
    /// A method.
    #[must_use]
    pub fn method(&self) -> Option<u32> { Some(1) }
    /// Another.
    pub async fn later(&self) -> Option<u32> { Some(1) }
    /// Not limited.
    #[must_use]
    #[window_rate_limit(skip)]
    pub const fn free(&self) -> u32 { 1 }
}

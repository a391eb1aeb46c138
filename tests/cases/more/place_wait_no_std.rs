//@ check-pass
#![no_std]
#![no_implicit_prelude]
use ::core::{future::Future, option::Option::{self, Some}, primitive::*, result::Result::{self, Ok}, time::Duration};
const MOST: u32 = 3;
#[::windowlimit::window_rate_limit(limit = 3, window = "1s", wait)]
pub fn f(x: u32) -> Result<u32, ::windowlimit::RateLimitExceeded> { Ok(x) }
#[::windowlimit::window_rate_limit(limit = 3, window = "1s", max_wait = "2s", max_waiters = 5, skip_if = x > 5, permit = p)]
pub async fn g(x: u32) -> Option<u32> { Some(p.cost()) }
#[::windowlimit::window_rate_limit(limit = 3, window = "1m", max_wait = Duration::from_secs(1), max_waiters = MOST, cost = x)]
pub fn h(x: u32) -> impl Future<Output = Option<u32>> { async move { Some(x) } }
#[::windowlimit::window_rate_limit(limit = 3, window = "1m", max_wait_ms = 10, key = (x, "a"), cost = x, fallback = |_| 0)]
pub async fn k(x: u32) -> u32 { x }
#[::windowlimit::window_rate_limit(window = "1h", key = x, limit_for = [limit, limit], wait, max_waiters = MOST, permit = p)]
pub fn l(x: u32, limit: ::windowlimit::Limit) -> Option<u32> { Some(p.cost()) }
#[::windowlimit::window_rate_limit(limiter = limiter, key = x, wait)]
pub async fn m(x: u32, limiter: &::windowlimit::KeyedLimiter) -> Option<u32> { Some(x) }
#[::windowlimit::window_rate_limit(limiter = limiter, wait)]
pub fn n(limiter: &::windowlimit::Limiter) -> Option<u32> { Some(1) }

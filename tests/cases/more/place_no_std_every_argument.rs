//@ check-pass
#![no_std]
#![no_implicit_prelude]
use ::core::{option::Option::{self, Some}, result::Result::{self, Ok}, time::Duration, primitive::*};
const N: u32 = 3;
#[::windowlimit::window_rate_limit(limit = N, window = Duration::from_secs(1), skip_if = x > 5, permit = p)]
pub fn f(x: u32) -> Result<u32, ::windowlimit::RateLimitExceeded> { Ok(x + p.remaining()) }
#[::windowlimit::window_rate_limit(limits = [(1, "1s"), (N, "1m")], name = "g")]
pub fn g() -> Option<u32> { Some(1) }
#[::windowlimit::window_rate_limit(limit = 3, window = "1m", cost = x, algorithm = segmented("100ms"))]
pub fn i(x: u32) -> Option<u32> { Some(x) }
#[::windowlimit::window_rate_limit(limit = 3, window = "1m", cost = 2, algorithm = segmented(N), permit = p)]
pub fn j() -> Option<u32> { Some(p.cost()) }
#[::windowlimit::window_rate_limit(limits = [(1, "1s"), (3, "1m")], fallback = |_| 0)]
pub fn h() -> u32 { 1 }
#[::windowlimit::window_rate_limit(limit = 3, window = "1m", key = (x, "a"), cost = x, max_keys = 5)]
pub fn k(x: u32) -> Option<u32> { Some(x) }
#[::windowlimit::window_rate_limit(window = Duration::from_secs(60), key = x, limit_for = [limit, limit], skip_if = x > 5, permit = p)]
pub fn l(x: u32, limit: ::windowlimit::Limit) -> Option<u32> { Some(p.cost()) }
#[::windowlimit::window_rate_limit(limiter = limiter, key = x, fallback = |_| 0)]
pub fn m(x: u32, limiter: &::windowlimit::KeyedLimiter) -> u32 { x }

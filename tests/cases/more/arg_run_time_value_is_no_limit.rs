//@ run-pass
// A value that is no limit at run time refuses every call and says so; nothing panics.
use std::time::Duration;
use windowlimit::{Limit, Reason, RateLimitExceeded as E, window_rate_limit};
fn zero() -> u64 { 0 }
#[window_rate_limit(limit = 5, window_ms = zero())]
fn a() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 5, window = Duration::ZERO)]
fn b() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limits = Vec::<Limit>::new())]
fn c() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limits = [(5, Duration::ZERO), (6, "1m")])]
fn d() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = u32::MIN, window = "1m")]
fn e() -> Result<u32, E> { Ok(1) }
fn main() {
    for f in [a, b, c, d] { assert_eq!(f().unwrap_err().reason(), Reason::Misconfigured); }
    assert!(e().is_err());
}

//@ run-pass
//@ deps: renamed
// The dependency has another name in the manifest; also for the form on an impl block.
use renamed::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000, crate = ::renamed)]
fn f() -> Result<u32, E> { Ok(1) }
struct S;
#[window_rate_limit(limit = 1, window = "1m", crate = renamed)]
impl S { fn m(&self) -> Option<u32> { Some(1) } #[window_rate_limit(skip)] fn n(&self) {} }
fn main() { assert!(f().is_ok() && f().is_err() && S.m().is_some() && S.m().is_none()); S.n(); }

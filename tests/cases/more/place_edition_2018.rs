//@ run-pass
//@ edition: 2018
use windowlimit::{window_rate_limit, RateLimitExceeded as E};
#[window_rate_limit(limit = 1, window = "1m")]
fn f() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limits = [(1, "1m"), (5, "1h")], permit = gen)]
fn g() -> Result<u32, E> { Ok(gen.remaining()) }
fn main() { assert!(f().is_ok() && f().is_err()); assert_eq!(g().ok(), Some(0)); }

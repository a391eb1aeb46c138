//@ fail: E0308 ; n=1 ; at="a"
// Errors of the body keep their places, also behind inner attributes and in an async block at the end.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f() -> impl Future<Output = Result<u32, E>> { #![allow(unused)] let n = 1; async move { let m: u32 = "a"; Ok(n + m) } }

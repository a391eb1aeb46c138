//@ run-pass
// A name that a closure or loop in the argument binds is not the parameter of the same name.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
const OPT: Option<u32> = Some(1);
#[window_rate_limit(limit = OPT.map(|n| n + 1).unwrap_or(3), window_ms = 60000)]
fn f(n: u32) -> Result<u32, E> {
    Ok(n)
}
#[window_rate_limit(limit = { let mut s = 0; for n in 0..3 { s += n; } s }, window_ms = 60000)]
fn g(n: u32) -> Result<u32, E> {
    Ok(n)
}
fn main() {
    assert!(f(1).is_ok() && f(1).is_ok() && f(1).is_err());
    for _ in 0..3 {
        assert!(g(1).is_ok());
    }
    assert!(g(1).is_err());
}

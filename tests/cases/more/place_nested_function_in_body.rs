//@ run-pass
// A function inside of a function, a method of an impl inside of a function.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 2, window_ms = 60000)]
fn outer() -> Result<u32, E> {
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    fn inner() -> Result<u32, E> { Ok(1) }
    struct S;
    impl S { #[window_rate_limit(limit = 1, window_ms = 60000)] fn m(&self) -> Option<u32> { Some(2) } }
    Ok(inner().map_or(10, |n| n) + S.m().unwrap_or(20))
}
fn main() {
    assert_eq!(outer().ok(), Some(3));
    assert_eq!(outer().ok(), Some(30));
    assert!(outer().is_err());
}

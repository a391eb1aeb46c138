//@ run-pass
// Behind `cfg_attr`, also as the attribute of an impl block and of a method in one.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
struct S;
#[cfg_attr(all(), window_rate_limit(limit = 2, window_ms = 60000))]
impl S {
    fn a(&self) -> Result<u32, E> { Ok(1) }
    #[cfg_attr(all(), window_rate_limit(limit = 1, window_ms = 60000))]
    fn b(&self) -> Result<u32, E> { Ok(1) }
    #[cfg_attr(all(), window_rate_limit(skip))]
    fn c(&self) -> u32 { 1 }
    #[cfg_attr(any(), window_rate_limit(skip))]
    fn d(&self) -> Option<u32> { Some(1) }
    #[cfg(any())]
    fn not_there(&self) -> u32 { 1 }
}
fn main() {
    assert!(S.a().is_ok() && S.a().is_ok() && S.a().is_err());
    assert!(S.b().is_ok() && S.b().is_err());
    for _ in 0..5 { assert_eq!(S.c(), 1); }
    assert!(S.d().is_some() && S.d().is_some() && S.d().is_none());
}

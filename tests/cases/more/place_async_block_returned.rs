//@ run-pass
//@ deps: futures
// `return async move { .. };` is a block at the end as well.
#![allow(clippy::needless_return)]
use std::pin::Pin;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn f() -> impl Future<Output = Result<u32, E>> {
    return async move { Ok(1) };
}
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn g(n: u32) -> Pin<Box<dyn Future<Output = Result<u32, E>>>> {
    let m = n + 1;
    return Box::pin(async move { Ok(m) });
}
fn main() {
    for _ in 0..3 {
        drop(f());
        drop(g(1));
    }
    use futures::executor::block_on as b;
    assert!(b(f()).is_ok());
    assert!(b(f()).is_err());
    assert!(b(g(1)).is_ok());
    assert!(b(g(1)).is_err());
}

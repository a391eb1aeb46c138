//@ run-pass
//@ deps: futures
// The functions behind `.boxed()`, called by their paths.
use futures::{
    FutureExt,
    future::{BoxFuture, LocalBoxFuture},
};
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn f() -> BoxFuture<'static, Result<u32, E>> {
    FutureExt::boxed(async move { Ok(1) })
}
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn g(s: &str) -> LocalBoxFuture<'_, Result<usize, E>> {
    async move { Ok(s.len()) }.boxed_local()
}
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn h() -> BoxFuture<'static, Result<u32, E>> {
    std::boxed::Box::<_>::pin(async move { Ok(1) })
}
fn main() {
    for _ in 0..3 {
        drop(f());
        drop(g(""));
        drop(h());
    }
    use futures::executor::block_on as b;
    assert!(b(f()).is_ok());
    assert!(b(f()).is_err());
    assert!(b(g("")).is_ok());
    assert!(b(g("")).is_err());
    assert!(b(h()).is_ok());
    assert!(b(h()).is_err());
}

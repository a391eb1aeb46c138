//@ run-pass
//@ deps: futures
// Aliases, adaptors, a trailing comma, statements before the block: the guard runs at the first poll.
use futures::{FutureExt, executor::block_on, future::{BoxFuture, LocalBoxFuture}};
use std::pin::Pin;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
type Mine<'a> = Pin<Box<dyn Future<Output = Result<usize, E>> + Send + 'a>>;
#[window_rate_limit(limit = 2, window_ms = 60000)]
fn alias(s: &str) -> Mine<'_> { let n = s.len(); Box::pin(async move { Ok(n) }) }
#[window_rate_limit(limit = 2, window_ms = 60000)]
fn boxed(s: &str) -> BoxFuture<'_, Result<usize, E>> { async move { Ok(s.len()) }.boxed() }
#[window_rate_limit(limit = 2, window_ms = 60000)]
fn local(s: &str) -> LocalBoxFuture<'_, Result<usize, E>> { std::boxed::Box::pin(async move { Ok(s.len()) },) }
#[window_rate_limit(limit = 2, window_ms = 60000, fallback = 99)]
fn number() -> impl Future<Output = usize> + use<> { async { 1 } }
#[window_rate_limit(limit = 2, window_ms = 60000, error = "busy")]
fn text() -> impl Future<Output = Result<usize, &'static str>> { return async { Ok(1) } }
fn main() {
    for _ in 0..9 { drop((alias(""), boxed(""), local(""), number(), text())); }
    for _ in 0..2 {
        assert_eq!(block_on(alias("abc")).ok(), Some(3));
        assert_eq!(block_on(boxed("abc")).ok(), Some(3));
        assert_eq!(block_on(local("abc")).ok(), Some(3));
        assert_eq!((block_on(number()), block_on(text())), (1, Ok(1)));
    }
    assert!(block_on(alias("")).is_err() && block_on(boxed("")).is_err() && block_on(local("")).is_err());
    assert_eq!((block_on(number()), block_on(text())), (99, Err("busy")));
}

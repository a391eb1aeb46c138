//@ run-pass
//@ deps: futures
// Closures that return, matches and blocks before the one at the end.
use std::pin::Pin;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window = "1m")]
fn a(n: u32) -> impl Future<Output = Result<u32, E>> + Send {
    let f = move |x: u32| {
        if x > 1 {
            return 5;
        }
        x
    };
    let m = match n {
        0 => 1,
        _ => f(n),
    };
    async move {
        if m == 7 {
            return Ok(0);
        }
        Ok(m)
    }
}
#[window_rate_limit(limit = 1, window = "1m", fallback = 9)]
fn b<'a>(s: &'a str) -> Pin<Box<dyn Future<Output = usize> + Send + 'a>> {
    Box::pin(async { s.len() })
}
#[window_rate_limit(limit = 1, window = "1m", error = |e| format!("{e:?}"))]
fn c() -> impl Future<Output = Result<(), String>> {
    drop(async {});
    async { Ok(()) }
}
struct W;
impl W {
    #[window_rate_limit(limit = 1, window = "1m")]
    fn d(&self) -> impl Future<Output = Option<u8>> + use<> {
        async move { Some(1) }
    }
}
fn main() {
    use futures::executor::block_on as w;
    drop(a(1));
    assert!(w(a(3)).is_ok());
    assert!(w(a(3)).is_err());
    assert_eq!((w(b("ab")), w(b("ab"))), (2, 9));
    assert!(w(c()).is_ok());
    assert!(w(c()).is_err());
    assert!(w(W.d()).is_some());
    assert!(w(W.d()).is_none());
}

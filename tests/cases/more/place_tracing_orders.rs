//@ run-pass
//@ deps: tracing futures async-trait async-recursion
// `#[instrument]` with its arguments, `#[async_trait]` and `#[async_recursion]` in both orders.
use tracing::instrument;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[instrument(skip(s), fields(n = s.len()), ret, err, level = "debug", name = "x")]
#[window_rate_limit(limit = 1, window = "1m")]
async fn a(s: String, (k, _): (u32, u32)) -> Result<u32, E> {
    std::future::ready(()).await;
    Ok(k + s.len() as u32)
}
#[window_rate_limit(limit = 1, window = "1m", skip_if = s.is_empty(), permit = p)]
#[instrument(skip_all, err(Debug))]
async fn b(s: &str) -> Result<u32, E> {
    std::future::ready(()).await;
    Ok(p.remaining())
}
#[instrument(ret)]
#[window_rate_limit(limit = 1, window = "1m")]
fn c<T: std::fmt::Debug>(t: T) -> Option<T> {
    Some(t)
}
#[window_rate_limit(limit = 1, window = "1m")]
#[instrument(ret, err)]
fn d() -> Result<u32, E> {
    let n: u32 = "1".parse().unwrap_or(0);
    Ok(n)
}
struct S;
#[async_trait::async_trait]
trait T {
    async fn m(&self, s: &str) -> Result<usize, E>;
    async fn n(&mut self) -> Result<(), String>;
}
#[async_trait::async_trait]
impl T for S {
    #[instrument(skip(self))]
    #[window_rate_limit(limit = 1, window = "1m")]
    async fn m(&self, s: &str) -> Result<usize, E> {
        Ok(s.len())
    }
    #[window_rate_limit(limit = 1, window = "1m", error = "no".to_string())]
    #[instrument(skip(self), err)]
    async fn n(&mut self) -> Result<(), String> {
        Ok(())
    }
}
#[async_recursion::async_recursion]
#[window_rate_limit(limit = 3, window = "1m")]
async fn r(n: u32) -> Result<u32, E> {
    if n == 0 { Ok(0) } else { Ok(r(n - 1).await? + 1) }
}
#[window_rate_limit(limit = 3, window = "1m", skip_if = n == 9)]
#[async_recursion::async_recursion]
async fn q<'a>(n: u32, s: &'a str) -> Result<u32, E> {
    if n == 0 { Ok(0) } else { Ok(q(n - 1, s).await? + 1) }
}
#[async_recursion::async_recursion(?Send)]
#[window_rate_limit(limit = 3, window = "1m", skip_if = n == 9)]
async fn l(n: u32) -> Option<u32> {
    let x = std::rc::Rc::new(1);
    if n == 0 { Some(*x) } else { l(n - 1).await }
}
fn send<F: Send>(f: F) -> F {
    f
}
fn main() {
    use futures::executor::block_on as w;
    assert!(w(send(a("x".into(), (1, 2)))).is_ok());
    assert!(w(a("x".into(), (1, 2))).is_err());
    assert!(w(send(b("x"))).is_ok());
    assert!(w(b("x")).is_err());
    assert!(w(b("")).is_ok());
    assert!(c(1).is_some() && c(1).is_none() && d().is_ok() && d().is_err());
    assert!(w(S.m("x")).is_ok());
    assert!(w(S.m("x")).is_err());
    assert!(w(S.n()).is_ok());
    assert!(w(S.n()).is_err());
    assert_eq!(w(send(r(2))).ok(), Some(2));
    assert!(w(r(0)).is_err());
    assert_eq!(w(send(q(2, ""))).ok(), Some(2));
    assert!(w(q(0, "")).is_err());
    assert!(w(q(9, "")).is_err());
    assert_eq!(w(l(2)), Some(1));
    assert!(w(l(0)).is_none());
}

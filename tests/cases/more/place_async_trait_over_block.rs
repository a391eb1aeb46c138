//@ run-pass
//@ deps: async-trait futures
// The form on an impl block under `#[async_trait]`, with pattern parameters, a constant and `skip`.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[async_trait::async_trait]
trait T {
    const N: u32;
    async fn a(&self, x: (u8, u8)) -> Result<u8, E>;
    async fn b(&self);
    fn c(&self) -> Option<u8>;
}
struct S;
#[async_trait::async_trait]
#[window_rate_limit(limit = 1, window = "1m")]
impl T for S {
    const N: u32 = 1;
    async fn a(&self, (x, mut y): (u8, u8)) -> Result<u8, E> {
        y += 1;
        Ok(x + y)
    }
    #[window_rate_limit(skip)]
    async fn b(&self) {}
    fn c(&self) -> Option<u8> {
        Some(1)
    }
}
fn main() {
    use futures::executor::block_on as b;
    assert_eq!(S::N, 1);
    assert_eq!(b(S.a((1, 2))).ok(), Some(4));
    assert!(b(S.a((1, 2))).is_err());
    b(S.b());
    b(S.b());
    assert!(S.c().is_some() && S.c().is_none());
}

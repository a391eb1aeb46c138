//@ run-pass
//@ deps: futures
// A call takes as many units as its cost says, of every limit or of none, in every kind of function.
use futures::executor::block_on;
use std::{pin::Pin, sync::Arc};
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, Reason, window_rate_limit};
#[window_rate_limit(limit = 10, window = "1m", cost = n)]
fn plain(n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(limit = 10, window = "1m", cost = 4)]
fn literal() -> Option<u32> { Some(1) }
#[window_rate_limit(limits = [(100, "1s"), (10, "1m")], cost = text.len() as u32, fallback = text.clone() + "!")]
fn several(text: String) -> String { text }
#[window_rate_limit(limit = 10, window = "1m", cost = n, permit = permit, error = |refusal| (n, refusal.limit()))]
fn with_permit(n: u32) -> Result<(u32, u32), (u32, u32)> { Ok((permit.cost(), permit.remaining())) }
#[window_rate_limit(limit = 10, window = "1m", cost = rows.len() as u32)]
async fn later(rows: Vec<u8>) -> Result<Vec<u8>, E> { std::future::ready(()).await; Ok(rows) }
#[window_rate_limit(limit = 10, window = "1m", cost = 4, permit = p)]
fn boxed() -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send>> { Box::pin(async move { std::future::ready(()).await; Ok(p.cost()) }) }
struct Service { limiter: Arc<Limiter>, weight: u32 }
impl Service {
    fn limiter(&self) -> Arc<Limiter> { self.limiter.clone() }
    #[window_rate_limit(limiter = self.limiter, cost = self.weight)]
    fn field(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(limiter = self.limiter(), cost = self.weight + more, permit = p)]
    async fn made(&self, more: u32) -> Result<(u32, u32), E> { Ok((p.cost(), p.remaining())) }
}
struct Block(u32);
#[window_rate_limit(limit = 10, window = "1m", cost = self.0)]
impl Block {
    fn one(&self) -> Option<u32> { Some(1) }
    async fn two(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(limit = 10, window = "1m")]
    fn of_one_unit(&self) -> Option<u32> { Some(1) }
}
fn main() {
    assert!(plain(4).is_ok() && plain(4).is_ok());
    let refusal = plain(4).unwrap_err();
    assert!(refusal.reason() == Reason::WindowFull && refusal.retry_after().is_some());
    // A refused call takes nothing, and what fits is admitted.
    assert!(plain(2).is_ok() && plain(1).is_err() && plain(0).is_ok());
    let never = plain(11).unwrap_err();
    assert!(never.reason() == Reason::NeverFits && never.retry_after().is_none());
    assert!(literal().is_some() && literal().is_some() && literal().is_none());
    assert_eq!([several("12345678".into()), several("123".into()), several("12".into())], ["12345678", "123!", "12"]);
    assert_eq!([with_permit(3), with_permit(0), with_permit(7), with_permit(1)], [Ok((3, 7)), Ok((0, 7)), Ok((7, 0)), Err((1, 10))]);
    let rows = || vec![1; 6];
    drop(later(rows()));
    assert!(block_on(later(rows())).is_ok() && block_on(later(rows())).is_err());
    assert_eq!((block_on(boxed()).ok(), block_on(boxed()).ok(), block_on(boxed()).ok()), (Some(4), Some(4), None));
    let service = Service { limiter: Arc::new(Limiter::new("service", Limit::per_minute(10))), weight: 3 };
    assert!(service.field().is_some());
    assert_eq!((block_on(service.made(1)).ok(), block_on(service.made(1)).ok()), (Some((4, 3)), None));
    assert!(service.field().is_some() && service.field().is_none() && service.limiter.usage().live() == 10);
    let block = Block(6);
    assert!(block.one().is_some() && block.one().is_none() && Block(4).one().is_some());
    assert!(block_on(block.two()).is_some() && block_on(block.two()).is_none());
    for _ in 0..10 { assert!(block.of_one_unit().is_some()); }
}

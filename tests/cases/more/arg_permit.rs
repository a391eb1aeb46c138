//@ run-pass
//@ deps: futures
// The permit of this very call, under the name that was given, in every kind of function.
use futures::executor::block_on;
use std::{pin::Pin, sync::Arc, time::Duration};
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 3, window = "1m", permit = p)]
fn plain() -> Result<(u32, Duration), E> { let p = p; Ok((p.remaining(), p.reset_after())) }
#[window_rate_limit(limit = 3, window = "1m", permit = p)]
async fn later() -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
#[window_rate_limit(limit = 3, window = "1m", permit = p)]
fn boxed() -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send>> { Box::pin(async move { std::future::ready(()).await; Ok(p.remaining()) }) }
struct Service { limiter: Arc<Limiter> }
impl Service {
    fn limiter(&self) -> Arc<Limiter> { self.limiter.clone() }
    #[window_rate_limit(limiter = self.limiter, permit = left)]
    fn field(&self) -> Result<u32, E> { Ok(left.remaining()) }
    #[window_rate_limit(limiter = self.limiter(), permit = left, skip_if = skip)]
    async fn made(&self, skip: bool) -> Result<u32, E> { Ok(left.remaining()) }
}
#[window_rate_limit(limit = 3, window = "1m", permit = _p)]
fn unused() -> Option<u32> { Some(1) }
fn main() {
    let (left, reset) = plain().unwrap();
    assert!(left == 2 && reset <= Duration::from_secs(60) && reset > Duration::from_secs(50));
    assert_eq!((block_on(later()).ok(), block_on(later()).ok()), (Some(2), Some(1)));
    assert_eq!((block_on(boxed()).ok(), block_on(boxed()).ok()), (Some(2), Some(1)));
    let service = Service { limiter: Arc::new(Limiter::new("service", Limit::per_minute(3))) };
    assert_eq!((service.field().ok(), block_on(service.made(false)).ok()), (Some(2), Some(1)));
    assert_eq!((block_on(service.made(true)).ok(), service.field().ok(), service.field().ok()), (Some(1), Some(0), None));
    assert!(unused().is_some());
}

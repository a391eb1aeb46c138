//@ run-pass
//@ deps: async-trait async-recursion futures tokio tracing
// `wait` in every place where the attribute may stand: one call takes one unit, and futures wait when they are polled.
use async_trait::async_trait;
use futures::{executor::block_on, future::{BoxFuture, FutureExt, LocalBoxFuture}};
use std::{future::Future, pin::Pin, sync::Arc};
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
type Alias = Pin<Box<dyn Future<Output = Result<u32, E>> + Send>>;
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
fn impl_future(n: u32) -> impl Future<Output = Option<u32>> + Send { let n = n + 1; async move { std::future::ready(Some(n)).await } }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1, permit = p)]
fn boxed(s: &str) -> BoxFuture<'_, Option<u32>> { Box::pin(async move { std::future::ready(s).await; Some(p.remaining()) }) }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1, key = s.len())]
fn local<'a>(s: &'a str) -> LocalBoxFuture<'a, Result<&'a str, E>> { async move { Ok(s) }.boxed_local() }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
fn alias() -> Alias { return Box::pin(async { Ok(1) }); }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
unsafe extern "C" fn foreign(n: *const u32) -> Option<&'static u32> { unsafe { n.as_ref() } }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
#[track_caller]
fn located() -> Option<u32> { Some(std::panic::Location::caller().line()) }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1, fallback = panic!("refused"))]
fn never() -> ! { std::process::exit(0) }
trait Later { async fn required(&self) -> Option<u32>; fn desugared(&self) -> impl Future<Output = Option<u32>> + Send; }
trait Waits {
    const N: u32;
    #[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
    fn by_default(&self) -> Option<u32> { Some(Self::N) }
    #[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
    async fn later(&self) -> Option<u32> { std::future::ready(Some(Self::N)).await }
}
struct One;
impl Waits for One { const N: u32 = 1; }
impl Later for One {
    #[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
    async fn required(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
    fn desugared(&self) -> impl Future<Output = Option<u32>> + Send { async move { Some(1) } }
}
struct Api { base: u32 }
#[window_rate_limit(limit = 2, window = "1h", max_wait = "1ms", max_waiters = 5, key = self.base)]
impl Api {
    fn plain(&self) -> Option<u32> { Some(self.base) }
    async fn later(self: Arc<Self>) -> Option<u32> { std::future::ready(Some(self.base)).await }
    fn future(&mut self) -> impl Future<Output = Option<u32>> { self.base += 1; async { self.base -= 1; Some(self.base) } }
    #[window_rate_limit(limit = 1, window = "1h")]
    fn own(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(skip)]
    fn new(base: u32) -> Self { Self { base } }
}
#[async_trait]
trait Remote {
    async fn over(&self, n: u32) -> Result<u32, E>;
    #[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
    async fn by_default(&self, key: &str) -> Result<usize, E> { Ok(key.len()) }
}
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
#[async_trait]
impl Remote for One { async fn over(&self, n: u32) -> Result<u32, E> { std::future::ready(()).await; Ok(n) } }
#[async_trait]
impl Remote for Api {
    #[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1, key = (self.base, n), permit = p)]
    async fn over(&self, n: u32) -> Result<u32, E> { std::future::ready(n).await; Ok(p.remaining()) }
}
#[window_rate_limit(limit = 3, window = "1h", max_wait_ms = 1)]
#[async_recursion::async_recursion]
async fn down(n: u32) -> Option<u32> { if n == 0 { Some(0) } else { down(n - 1).await } }
#[async_recursion::async_recursion]
#[window_rate_limit(limit = 3, window = "1h", max_wait_ms = 1)]
async fn down_too(n: u32) -> Option<u32> { if n == 0 { Some(0) } else { down_too(n - 1).await } }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
#[tokio::main(flavor = "current_thread")]
async fn inside() -> Result<u32, E> { tokio::task::yield_now().await; Ok(1) }
#[tokio::main(flavor = "current_thread")]
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
async fn outside() -> Result<u32, E> { tokio::task::yield_now().await; Ok(1) }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
#[tracing::instrument]
async fn traced(n: u32) -> Option<u32> { std::future::ready(Some(n)).await }
#[tracing::instrument]
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
async fn traced_too(n: u32) -> Option<u32> { std::future::ready(Some(n)).await }
#[tracing::instrument]
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1)]
fn traced_plain(n: u32) -> Option<u32> { Some(n) }
fn two_of<T>(call: impl Fn() -> Option<T>) { assert!(call().is_some() && call().is_some() && call().is_none()); }
fn main() {
    for _ in 0..9 { drop((impl_future(1), boxed(""), local(""), alias(), One.required(), One.desugared(), inside as fn() -> _)); }
    two_of(|| block_on(impl_future(1)));
    two_of(|| block_on(boxed("a")));
    two_of(|| block_on(local("a")).ok());
    assert!(block_on(local("ab")).is_ok());
    two_of(|| block_on(alias()).ok());
    two_of(|| unsafe { foreign(&1) });
    two_of(located);
    two_of(|| Waits::by_default(&One));
    two_of(|| block_on(Waits::later(&One)));
    two_of(|| block_on(One.required()));
    two_of(|| block_on(One.desugared()));
    let mut api = Api::new(1);
    two_of(|| api.plain());
    two_of(|| block_on(Arc::new(Api::new(1)).later()));
    assert!(Api::new(2).plain().is_some() && api.own().is_some() && api.own().is_none());
    for _ in 0..2 { assert!(block_on(api.future()).is_some()); }
    api.base = 1;
    assert!(block_on(api.future()).is_none());
    api.base = 1;
    two_of(|| block_on(One.over(1)).ok());
    two_of(|| block_on(api.over(1)).ok());
    assert_eq!(block_on(api.over(2)).ok(), Some(1));
    two_of(|| block_on(Remote::by_default(&One, "ab")).ok());
    assert!(block_on(down(2)).is_some() && block_on(down(0)).is_none());
    assert!(block_on(down_too(2)).is_some() && block_on(down_too(0)).is_none());
    two_of(|| inside().ok());
    two_of(|| outside().ok());
    two_of(|| block_on(traced(1)));
    two_of(|| block_on(traced_too(1)));
    two_of(|| traced_plain(1));
    never()
}

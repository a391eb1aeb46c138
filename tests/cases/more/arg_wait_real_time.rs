//@ run-pass
//@ deps: futures tokio async-trait
// The windows that the attribute makes, on the clock of the system, under two executors and none: the call that does not
// fit runs a window later. How long anything takes beyond that is not asked.
use async_trait::async_trait;
use futures::{executor::block_on, future::{BoxFuture, join_all}};
use std::time::{Duration, Instant};
use windowlimit::{Limit, RateLimitExceeded as E, window_rate_limit};
const WINDOW: Duration = Duration::from_millis(20);
#[window_rate_limit(limit = 2, window = WINDOW, wait)]
fn plain() -> Result<Instant, E> { Ok(Instant::now()) }
#[window_rate_limit(limit = 2, window = "20ms", wait, max_waiters = 3)]
async fn later() -> Result<Instant, E> { std::future::ready(Ok(Instant::now())).await }
#[window_rate_limit(limit = 2, window_ms = 20, max_wait = "1h", key = user, cost = 2, permit = p)]
fn boxed(user: String) -> BoxFuture<'static, Option<Instant>> { Box::pin(async move { p.cost().eq(&2).then(Instant::now) }) }
#[window_rate_limit(window = "1h", wait, key = user, limit_for = [Limit::new(1, WINDOW), Limit::new(100, 3 * WINDOW)].map(Result::unwrap))]
fn limit_for(user: u8) -> Option<Instant> { Some(Instant::now()) }
#[window_rate_limit(limit = 1, window = "20ms", wait)]
#[tokio::main(flavor = "current_thread")]
async fn inside() -> Option<Instant> { tokio::task::yield_now().await; Some(Instant::now()) }
#[tokio::main(flavor = "current_thread")]
#[window_rate_limit(limit = 1, window = "20ms", wait)]
async fn outside() -> Option<Instant> { tokio::task::yield_now().await; Some(Instant::now()) }
#[async_trait]
trait Remote { async fn get(&self) -> Option<Instant>; }
struct Api;
#[window_rate_limit(limit = 1, window = "20ms", wait)]
#[async_trait]
impl Remote for Api { async fn get(&self) -> Option<Instant> { std::future::ready(Some(Instant::now())).await } }
/// Calls made one after another never run more than so many in a window.
fn spaced<T>(n: usize, call: impl Fn() -> Option<T>) {
    // The body runs after the admission, and before the next call is made: so this is measured from outside.
    let mut starts = Vec::new();
    for _ in 0..2 * n + 1 {
        let before = Instant::now();
        assert!(call().is_some());
        starts.push((before, Instant::now()));
    }
    for (first, later) in starts.iter().zip(&starts[n..]) { assert!(later.1 - first.0 >= WINDOW); }
}
fn main() {
    spaced(2, || plain().ok());
    spaced(2, || block_on(later()).ok());
    spaced(1, || block_on(boxed("ann".into())));
    spaced(1, || limit_for(1));
    spaced(1, inside);
    spaced(1, outside);
    spaced(1, || block_on(Api.get()));
    // Nine at once, of whom three may stand in line; three do not fit into one window.
    let start = Instant::now();
    let admitted = block_on(join_all((0..9).map(|_| later()))).into_iter().filter(Result::is_ok).count();
    assert!((3..=9).contains(&admitted) && start.elapsed() >= WINDOW);
    let threads: Vec<_> = (0..5).map(|_| std::thread::spawn(plain)).collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap().is_ok()));
}

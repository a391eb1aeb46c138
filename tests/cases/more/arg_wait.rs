//@ run-pass
//@ deps: futures
// Calls that fit, and those that can be refused at once though they wait, in every way to say how long.
use futures::executor::block_on;
use std::time::Duration;
use windowlimit::{KeyedLimiter, Limit, Limiter, RateLimitExceeded as E, Reason, window_rate_limit};
const PATIENCE: Duration = Duration::from_millis(1);
fn zero() -> Duration { Duration::ZERO }
#[window_rate_limit(limit = 2, window = "1h", max_wait = "1ms")]
fn text() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 2, window = "1h", max_wait = PATIENCE)]
async fn expression() -> Result<u32, E> { std::future::ready(Ok(1)).await }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1, permit = p)]
fn millis() -> Result<u32, E> { Ok(p.remaining()) }
#[window_rate_limit(limit = 2, window = "1h", wait, max_wait_ms = PATIENCE.as_millis() as u64, permit = p)]
async fn millis_expression() -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
// A wait of nothing at run time is one.
#[window_rate_limit(limit = 2, window = "1h", max_wait = zero(), max_waiters = u32::MAX)]
fn none() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 2, window = "1h", max_wait_ms = 1, key = user, max_keys = 2)]
fn keyed(user: &str) -> Result<&str, E> { Ok(user) }
#[window_rate_limit(window = "1h", max_wait_ms = 1, key = user, limit_for = limit, cost = n, permit = p)]
async fn limit_for(user: String, limit: Limit, n: u32) -> Result<u32, E> { std::future::ready(()).await; Ok(p.cost()) }
static SHARED: Limiter = Limiter::new("shared", Limit::per_hour(2));
static KEYS: KeyedLimiter = KeyedLimiter::new("keys", Limit::per_hour(2));
#[window_rate_limit(limiter = SHARED, max_wait = "1ms", max_waiters = 5)]
fn shared() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limiter = &KEYS, max_wait = "1ms", key = (user, 1), permit = p)]
async fn shared_keys(user: u8) -> Result<u32, E> { Ok(p.remaining()) }
// These are refused at once, however long a call may wait.
#[window_rate_limit(limit = 2, window = "1h", cost = n, wait)]
fn never_fits(n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(limit = 2, window = zero(), wait, max_waiters = 3)]
async fn misconfigured() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = u32::MIN, window = "1h", wait)]
fn closed() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 2, window = "1h", wait, key = n, max_keys = 1)]
async fn too_many_keys(n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(window = "1m", wait, key = n, limit_for = Limit::per_hour(n))]
fn too_long_a_window(n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(limit = 1, window = "1h", wait, skip_if = n > 0, permit = p)]
fn skipped(n: u32) -> Option<u32> { Some(p.cost()) }
#[window_rate_limit(limit = 1, window = "1h", max_wait_ms = 1, fallback = std::future::ready(7).await)]
async fn fallback() -> u32 { 1 }
#[window_rate_limit(limit = 1, window = "1h", max_wait_ms = 1, error = |e| (e.limit(), n))]
fn error(n: u8) -> Result<u8, (u32, u8)> { Ok(n) }
#[window_rate_limit(limit = 1, window = "1h", max_wait_ms = 1, fallback = *n = 0)]
fn unit(n: &mut u32) { *n += 1; }
fn main() {
    for refused in [(text(), text(), text()), (none(), none(), none()), (shared(), shared(), shared())] {
        assert!(refused.0.is_ok() && refused.1.is_ok());
        let retry = refused.2.unwrap_err().retry_after().unwrap();
        assert!(retry > PATIENCE && retry <= Duration::from_secs(3600));
    }
    assert!(block_on(expression()).is_ok() && block_on(expression()).is_ok() && block_on(expression()).is_err());
    assert_eq!((millis().ok(), millis().ok(), millis().ok()), (Some(1), Some(0), None));
    assert_eq!([1, 2, 3].map(|_| block_on(millis_expression()).ok()), [Some(1), Some(0), None]);
    assert!(keyed("ann").is_ok() && keyed("bob").is_ok() && keyed("ann").is_ok() && keyed("ann").is_err());
    assert_eq!(keyed("cyd").unwrap_err().reason(), Reason::TooManyKeys);
    let limited = |user: &str, calls, cost| block_on(limit_for(user.into(), Limit::per_hour(calls), cost));
    assert_eq!((limited("ann", 5, 3).ok(), limited("bob", 5, 3).ok(), limited("ann", 5, 3).ok()), (Some(3), Some(3), None));
    assert_eq!(limited("ann", 9, 3).ok(), Some(3));
    assert_eq!([1, 2, 2, 2, 1].map(|user| block_on(shared_keys(user)).ok()), [Some(1), Some(1), Some(0), None, Some(0)]);
    assert_eq!((never_fits(2).ok(), never_fits(3).unwrap_err().reason()), (Some(2), Reason::NeverFits));
    assert_eq!(block_on(misconfigured()).unwrap_err().reason(), Reason::Misconfigured);
    assert!(closed().unwrap_err().retry_after().is_none());
    assert_eq!((block_on(too_many_keys(1)).ok(), block_on(too_many_keys(2)).unwrap_err().reason()), (Some(1), Reason::TooManyKeys));
    assert_eq!(too_long_a_window(1).unwrap_err().reason(), Reason::Misconfigured);
    assert_eq!([1, 0, 1, 1].map(skipped), [Some(0), Some(1), Some(0), Some(0)]);
    assert_eq!((block_on(fallback()), block_on(fallback())), (1, 7));
    assert_eq!((error(3), error(4)), (Ok(3), Err((1, 4))));
    let mut n = 5;
    unit(&mut n);
    assert_eq!(n, 6);
    unit(&mut n);
    assert_eq!(n, 0);
}

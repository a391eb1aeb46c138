//@ run-pass
//@ deps: futures
// A permit can be given back in the body: exactly that admission, once, and only while it counts.
use futures::executor::block_on;
use std::{pin::Pin, time::Duration};
use windowlimit::{Limit, Limiter, ManualClock, RateLimitExceeded as E, window_rate_limit};
// The classic: wrong passwords count, right ones do not.
#[window_rate_limit(limit = 2, window = "1m", permit = permit)]
fn login(password: &str) -> Result<bool, E> {
    let right = password == "secret";
    if right { permit.refund(); }
    Ok(right)
}
#[window_rate_limit(limit = 10, window = "1m", cost = n, permit = p)]
fn whole_cost(n: u32, back: bool) -> Option<u32> { let left = p.remaining(); if back { p.refund() } Some(left) }
#[window_rate_limit(limit = 1, window = "1m", permit = p)]
async fn later(back: bool) -> Result<u32, E> { std::future::ready(()).await; if back { p.refund(); } std::future::ready(Ok(1)).await }
#[window_rate_limit(limit = 1, window = "1m", permit = p)]
fn boxed() -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send>> { Box::pin(async move { p.refund(); std::future::ready(Ok(1)).await }) }
// Early returns and closures own it like any other variable.
#[window_rate_limit(limit = 1, window = "1m", permit = p)]
fn early(text: &str) -> Result<u32, E> {
    let Ok(n) = text.parse() else { p.refund(); return Ok(0) };
    Ok(n)
}
#[window_rate_limit(limit = 1, window = "1m", permit = p)]
fn moved() -> Option<u32> { let back = move || p.refund(); back(); Some(1) }
// A call that is skipped has taken nothing, and gives nothing back.
#[window_rate_limit(limit = 2, window = "1m", permit = p, skip_if = skip)]
fn skipped(skip: bool) -> Option<u32> { if skip { p.refund(); } Some(1) }
#[window_rate_limit(limits = [(2, "1s"), (2, "1m")], permit = p, algorithm = segmented(10))]
fn segmented(back: bool) -> Option<u32> { if back { p.refund() } Some(1) }
#[window_rate_limit(limit = 2, window = "1m", permit = p, algorithm = fixed)]
fn fixed(back: bool) -> Option<u32> { if back { p.refund() } Some(1) }
type Clocked<'c> = Limiter<&'c ManualClock>;
#[window_rate_limit(limiter = limiter, permit = p)]
fn late(limiter: &Clocked<'_>) -> Result<(), E> {
    limiter.clock().advance(Duration::from_secs(60));
    assert!(limiter.check().is_ok());
    p.refund();
    Ok(())
}
#[window_rate_limit(limiter = limiter, permit = p, cost = 2)]
fn between(limiter: &Clocked<'_>) -> Result<(), E> {
    limiter.clock().advance(Duration::from_secs(20));
    assert!(limiter.check().is_ok() && limiter.check().is_err());
    p.refund();
    Ok(())
}
fn main() {
    for _ in 0..5 { assert!(login("secret").unwrap()); }
    assert!(!login("guess").unwrap() && login("secret").unwrap() && !login("guess").unwrap());
    assert!(login("secret").is_err());
    assert_eq!([whole_cost(10, true), whole_cost(4, false), whole_cost(6, true), whole_cost(6, false), whole_cost(1, true)], [Some(0), Some(6), Some(0), Some(0), None]);
    for back in [true, true, false] { assert!(block_on(later(back)).is_ok()); }
    assert!(block_on(later(true)).is_err());
    assert!(block_on(boxed()).is_ok() && block_on(boxed()).is_ok());
    assert!(early("x").is_ok() && early("1").is_ok() && early("x").is_err());
    assert!(moved().is_some() && moved().is_some());
    assert!(skipped(false).is_some() && skipped(true).is_some() && skipped(false).is_some() && skipped(false).is_none());
    for f in [segmented, fixed] {
        for back in [true, true, true, false, true, false] { assert!(f(back).is_some()); }
        assert!(f(true).is_none());
    }
    let clock = ManualClock::new();
    let limiter = |max| Limiter::with_clock("clocked", if max == 1 { &[const { Limit::per_minute(1) }] } else { &[const { Limit::per_minute(3) }] }, &clock);
    // It has expired: what was admitted since stays.
    let one = limiter(1);
    assert!(late(&one).is_ok() && one.usage().live() == 1 && one.check().is_err());
    // The older admission goes, the younger one stays, for as long as it counts.
    let three = limiter(3);
    assert!(between(&three).is_ok() && three.usage().live() == 1);
    clock.advance(Duration::from_secs(59));
    assert!(three.usage().live() == 1);
    clock.advance(Duration::from_secs(1));
    assert!(three.usage().live() == 0);
}

use std::{sync::Arc, time::Duration};

use windowlimit::{KeyedLimiter, Limit, Limiter, window_rate_limit};

static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(5));

const PATIENCE: Duration = Duration::from_secs(2);

fn waiters() -> u32 {
    3
}

#[window_rate_limit(limit = 5, window = "1m", wait)]
fn plain() -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limit = 5, window = "1m", wait, max_wait = "2s", max_waiters = 100)]
fn literals() -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limit = 5, window = "1m", max_wait = PATIENCE, max_waiters = waiters())]
fn expressions() -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limit = 5, window = "1m", max_wait_ms = 2000, fallback = std::future::ready(0).await)]
async fn later() -> u32 {
    1
}

#[window_rate_limit(limiter = SHARED, max_wait_ms = 500, max_waiters = 3)]
fn shared() -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limiter = limiter, key = user, wait, permit = permit)]
fn keyed(limiter: &Arc<KeyedLimiter>, user: u32) -> Option<u32> {
    Some(permit.remaining())
}

fn main() {
    assert!(plain().is_some() && literals().is_some() && expressions().is_some() && shared().is_some());
    let _unpolled = later();
    assert_eq!(keyed(&Arc::new(KeyedLimiter::new("own", Limit::per_minute(5))), 1), Some(4));
}

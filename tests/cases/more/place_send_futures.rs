//@ check-pass
// Futures stay `Send`, with a fallback that waits and a limiter behind a lock.
use std::sync::{Arc, Mutex};
use windowlimit::{Limiter, RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window = "1m", fallback = { std::future::ready(()).await; 0 })]
pub async fn a(n: u32) -> u32 { std::future::ready(()).await; n }
pub struct S { pub limiters: Mutex<Vec<Arc<Limiter>>> }
impl S {
    #[window_rate_limit(limiter = Arc::clone(&self.limiters.lock().expect("no panic")[0]))]
    pub async fn b(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
}
pub fn check(s: &'static S) { fn send(_: impl Future + Send + 'static) {} send(a(1)); send(s.b()); }

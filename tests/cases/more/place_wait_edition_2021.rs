//@ check-pass
//@ edition: 2021
// `.await` comes from the macro, and what it stands in from the user.
use std::{future::Future, pin::Pin};
use windowlimit::{Limiter, RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window = "1m", wait)]
pub fn plain(n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(limit = 5, window = "1m", max_wait = "2s", max_waiters = 9, permit = p)]
pub async fn later(n: u32) -> Result<u32, E> { std::future::ready(()).await; Ok(n + p.remaining()) }
#[window_rate_limit(limit = 5, window = "1m", wait, key = name.len(), cost = name.len() as u32)]
pub fn boxed<'a>(name: &'a str) -> Pin<Box<dyn Future<Output = Option<&'a str>> + Send + 'a>> { Box::pin(async move { Some(name) }) }
#[window_rate_limit(limiter = limiter, wait)]
pub async fn given(limiter: &Limiter) -> Option<u32> { Some(1) }
macro_rules! of_macro { ($name:ident, $wait:literal) => {
    #[window_rate_limit(limit = 5, window = "1m", max_wait = $wait)]
    pub async fn $name() -> Option<u32> { Some(1) }
}; }
of_macro!(made, "2s");

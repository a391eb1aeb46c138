//@ run-pass
//@ edition: 2021
use windowlimit::{window_rate_limit, RateLimitExceeded as E};
#[window_rate_limit(limit = 1, window = "1m", skip_if = skip)]
async fn f(skip: bool) -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 1, window = "1m")]
fn g(x: &str) -> impl std::future::Future<Output = Result<usize, E>> + '_ { async move { Ok(x.len()) } }
fn main() { drop(f(true)); drop(g("a")); }

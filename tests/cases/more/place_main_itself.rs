//@ run-pass
//@ deps: tokio
// `main` is a function like any other.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[tokio::main(flavor = "current_thread")]
#[window_rate_limit(limit = 2, window_ms = 60000)]
async fn main() -> Result<(), E> { tokio::task::yield_now().await; Ok(()) }

//@ run-pass
//@ deps: async-trait futures
// The impl form over and under `#[async_trait]`, a default method of such a trait, and one call takes one unit.
use async_trait::async_trait;
use futures::executor::block_on;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[async_trait]
trait Api {
    async fn a(&self) -> Result<u32, E>;
    async fn b(&self) -> Result<u32, E>;
    #[window_rate_limit(limit = 2, window_ms = 60000)]
    async fn by_default(&self, key: &str) -> Result<usize, E> { Ok(key.len()) }
}
struct Over;
struct Under;
#[window_rate_limit(limit = 2, window_ms = 60000)]
#[async_trait]
impl Api for Over {
    async fn a(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    async fn b(&self) -> Result<u32, E> { Ok(2) }
}
#[async_trait]
#[window_rate_limit(limit = 2, window_ms = 60000)]
impl Api for Under {
    async fn a(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(skip)]
    async fn b(&self) -> Result<u32, E> { Ok(2) }
}
fn main() {
    for _ in 0..9 { drop(Over.a()); }
    assert!(block_on(Over.a()).is_ok() && block_on(Over.a()).is_ok() && block_on(Over.a()).is_err());
    assert!(block_on(Over.b()).is_ok() && block_on(Over.b()).is_err());
    assert!(block_on(Under.a()).is_ok() && block_on(Under.a()).is_ok() && block_on(Under.a()).is_err());
    for _ in 0..5 { assert!(block_on(Under.b()).is_ok()); }
    assert!(block_on(Over.by_default("ab")).is_ok() && block_on(Under.by_default("ab")).is_ok());
    assert!(block_on(Over.by_default("ab")).is_err());
}

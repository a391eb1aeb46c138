//@ fail: RateLimitExceeded & From & error = ; n=1
//@ deps: async-trait
// The message is the same for a method that `#[async_trait]` has rewritten.
use windowlimit::window_rate_limit;
#[async_trait::async_trait]
pub trait T {
    async fn f(&self) -> Result<u32, String>;
}
pub struct S;
#[async_trait::async_trait]
impl T for S {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    async fn f(&self) -> Result<u32, String> {
        Ok(1)
    }
}

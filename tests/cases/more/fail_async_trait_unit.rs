//@ fail: fallback ; n=1
//@ deps: async-trait
// The same for a method that returns nothing.
use windowlimit::window_rate_limit;
#[async_trait::async_trait]
pub trait T {
    async fn f(&self);
}
pub struct S;
#[async_trait::async_trait]
impl T for S {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    async fn f(&self) {}
}

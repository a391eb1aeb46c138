//@ clippy-clean
// Nor has clippy anything to say about waiting.
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::missing_errors_doc, clippy::missing_const_for_fn)]
#![deny(
    clippy::absolute_paths,
    clippy::await_holding_lock,
    clippy::default_numeric_fallback,
    clippy::future_not_send,
    clippy::indexing_slicing,
    clippy::large_futures,
    clippy::let_underscore_untyped,
    clippy::min_ident_chars,
    clippy::pattern_type_mismatch,
    clippy::question_mark_used,
    clippy::ref_patterns,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::significant_drop_in_scrutinee,
    clippy::significant_drop_tightening,
    clippy::unused_trait_names,
    clippy::wildcard_enum_match_arm,
    unused,
    unused_qualifications,
    unused_results,
    trivial_casts
)]
use std::{
    future::ready,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use windowlimit::{KeyedLimiter, Limit, Limiter, RateLimitExceeded, window_rate_limit};
pub struct Service {
    pub limiter: Limiter,
    pub keys: KeyedLimiter,
    pub tenant: String,
    pub id: u32,
    pub plans: Mutex<Vec<Limit>>,
}
const PATIENCE: Duration = Duration::from_secs(2);
const fn waiters() -> u32 {
    1000
}
impl Service {
    #[window_rate_limit(limit = 5, window_ms = 60000, wait)]
    pub fn plain(&self) -> Result<u32, RateLimitExceeded> {
        Ok(self.id)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, max_wait = "2s", max_waiters = 100, key = (self.tenant, self.id, text), cost = self.id)]
    pub fn tuple(&self, text: &str) -> Option<bool> {
        Some(text.is_empty())
    }
    #[window_rate_limit(limit = 5, window = "1m", max_wait = PATIENCE, max_waiters = waiters(), permit = permit, skip_if = self.id == 1)]
    pub async fn later(&self) -> Option<u32> {
        ready(Some(permit.remaining())).await
    }
    #[window_rate_limit(limit = 5, window = "1m", max_wait_ms = 2000, fallback = ready(0).await)]
    pub async fn only_the_guard_waits(&self) -> u32 {
        self.id
    }
    #[window_rate_limit(limit = 5, window = "1m", wait, permit = permit)]
    pub async fn refunds(&self) -> Result<u32, RateLimitExceeded> {
        permit.refund();
        Ok(self.id)
    }
    #[window_rate_limit(limit = 5, window = "1m", wait)]
    pub fn future(&self) -> impl Future<Output = Option<u32>> + Send {
        let id = self.id;
        async move { ready(Some(id)).await }
    }
    #[window_rate_limit(window = "1h", wait, key = text, limit_for = *self.plans.lock().unwrap_or_else(PoisonError::into_inner), error = |refusal| refusal.limit())]
    pub async fn locked(&self, text: String) -> Result<String, u32> {
        ready(Ok(text)).await
    }
    #[window_rate_limit(limiter = self.keys, wait, key = if text.is_empty() { "none" } else { text }, fallback = 0)]
    pub fn shared(&self, text: &str) -> usize {
        text.len()
    }
    #[window_rate_limit(limiter = self.limiter, max_wait_ms = 5, cost = self.id, permit = permit)]
    pub async fn shared_with_permit(&self) -> Option<u32> {
        ready(Some(permit.cost())).await
    }
    #[window_rate_limit(limiter = self.limiter, wait, fallback = ())]
    pub async fn unit(&self) {
        ready(()).await;
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, max_wait = "2s", key = text.len(), cost = if text.is_empty() { 1 } else { 2 }, fallback = Vec::new())]
    #[must_use]
    pub fn call(&self, text: &str) -> Vec<u32> {
        let _: &str = text;
        vec![self.id]
    }
}
#[window_rate_limit(limit = 5, window_ms = 60000, wait, error = |refusal| refusal.to_string())]
impl Service {
    pub fn method(&self) -> Result<u32, String> {
        Ok(self.id)
    }
    pub async fn asynchronous(&mut self) -> Result<u32, String> {
        self.id = 1;
        ready(Ok(self.id)).await
    }
}

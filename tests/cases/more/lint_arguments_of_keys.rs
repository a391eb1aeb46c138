//@ clippy-clean
// Nor has clippy anything to say about keys, and limits of calls.
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::missing_errors_doc, clippy::missing_const_for_fn)]
#![deny(
    clippy::absolute_paths,
    clippy::default_numeric_fallback,
    clippy::indexing_slicing,
    clippy::let_underscore_untyped,
    clippy::min_ident_chars,
    clippy::pattern_type_mismatch,
    clippy::question_mark_used,
    clippy::ref_patterns,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_call_fn,
    clippy::unused_trait_names,
    clippy::wildcard_enum_match_arm,
    unused,
    unused_qualifications,
    unused_results,
    trivial_casts
)]
#![allow(clippy::single_call_fn)]
use std::{
    future::ready,
    sync::{Mutex, PoisonError},
};
use windowlimit::{KeyedLimiter, Limit, RateLimitExceeded, window_rate_limit};
pub struct Service {
    pub limiter: KeyedLimiter,
    pub tenant: String,
    pub id: u32,
    pub plan: Limit,
    pub plans: Mutex<Vec<Limit>>,
}
const fn keys() -> usize {
    1000
}
impl Service {
    #[window_rate_limit(limit = 5, window_ms = 60000, key = self.tenant)]
    pub fn field(&self) -> Result<u32, RateLimitExceeded> {
        Ok(self.id)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, key = (self.tenant, self.id, text), cost = self.id, max_keys = 100)]
    pub fn tuple(&self, text: &str) -> Option<bool> {
        Some(text.is_empty())
    }
    #[window_rate_limit(limit = 5, window = "1m", key = &self.tenant, max_keys = keys(), permit = permit, skip_if = self.id == 1)]
    pub fn reference(&self) -> Option<u32> {
        Some(permit.remaining())
    }
    #[window_rate_limit(window = "1h", key = self.id + self.id % 3, limit_for = self.plan)]
    pub fn operator(&self) -> Option<u32> {
        Some(self.id)
    }
    #[window_rate_limit(window = "1h", key = self.id, limit_for = [self.plan, Limit::per_minute(5)], cost = 2, permit = permit)]
    pub async fn later(&self) -> Result<u32, RateLimitExceeded> {
        permit.refund();
        ready(Ok(self.id)).await
    }
    #[window_rate_limit(window = "1h", key = text, limit_for = *self.plans.lock().unwrap_or_else(PoisonError::into_inner), error = |refusal| refusal.limit())]
    pub fn locked(&self, text: String) -> Result<String, u32> {
        Ok(text)
    }
    #[window_rate_limit(limiter = self.limiter, key = if text.is_empty() { "none" } else { text }, fallback = 0)]
    pub fn shared(&self, text: &str) -> usize {
        text.len()
    }
    #[window_rate_limit(limiter = self.limiter, key = *text, cost = self.id, permit = permit)]
    pub fn shared_with_permit(&self, text: &str) -> Option<u32> {
        Some(permit.cost())
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, key = text.len(), cost = if text.is_empty() { 1 } else { 2 }, fallback = Vec::new())]
    #[must_use]
    pub fn call(&self, text: &str) -> Vec<u32> {
        let _: &str = text;
        vec![self.id]
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, key = text.to_uppercase(), fallback = String::new())]
    #[must_use]
    pub fn made_of_parameter(&self, text: String) -> String {
        text
    }
}

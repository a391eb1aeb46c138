//@ clippy-clean
// Clippy has nothing to say about arguments of every kind.
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::missing_errors_doc, clippy::missing_const_for_fn)]
use std::time::Duration;
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
pub struct S {
    pub limiter: Limiter,
    pub free: bool,
}
const fn calls() -> u32 {
    5
}
fn make() -> String {
    String::new()
}
impl S {
    #[window_rate_limit(limiter = self.limiter, skip_if = self.free, permit = permit, error = |refusal| refusal)]
    pub fn a(&self) -> Result<u32, E> {
        Ok(permit.remaining())
    }
    #[window_rate_limit(limiter = &self.limiter, error = make())]
    pub fn b(&self) -> Result<u32, String> {
        Ok(1)
    }
    #[window_rate_limit(limits = [(1, "1s"), (calls(), "1m")], fallback = None)]
    pub fn c(&self) -> Option<&Limiter> {
        Some(&self.limiter)
    }
    #[window_rate_limit(limits = [Limit::per_second(1), Limit::per_minute(calls())], fallback = Some(self))]
    #[must_use]
    pub fn d(&self) -> Option<&Self> {
        None
    }
    #[window_rate_limit(limit = calls() + 1, window = Duration::from_secs(10), fallback = {})]
    pub fn e(&mut self) {
        self.free = true;
    }
    #[window_rate_limit(limit = 5, window_ms = 1_000 * 60, fallback = { self.free = false; })]
    pub fn f(&mut self) {
        self.free = true;
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, error = |_| make())]
    pub fn g(&self) -> Result<&Self, String> {
        Ok(self)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, error = |refusal| { let text = refusal.to_string(); text + "!" })]
    pub fn h(&self) -> Result<&Self, String> {
        Ok(self)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, fallback = Vec::default())]
    #[must_use]
    pub fn i(&self) -> Vec<u8> {
        vec![1]
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, fallback = String::new())]
    #[must_use]
    pub fn j(&self) -> String {
        make()
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, fallback = ())]
    pub async fn k(&self) {
        std::future::ready(()).await;
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, cost = calls(), algorithm = segmented(10))]
    pub fn m(&self) -> Result<u32, E> {
        Ok(1)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, cost = if self.free { 1 } else { 2 }, algorithm = segmented(calls()))]
    pub fn n(&self) -> Result<bool, E> {
        Ok(self.free)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, cost = 2, algorithm = segmented("1s"), permit = permit)]
    pub fn o(&self) -> Result<bool, E> {
        permit.refund();
        Ok(self.free)
    }
    #[window_rate_limit(limiter = self.limiter, cost = calls() + 1, permit = permit, skip_if = self.free)]
    pub fn p(&self) -> Option<u32> {
        Some(permit.cost())
    }
    #[window_rate_limit(limits = [(5, "1s"), (calls(), "1m")], cost = calls(), algorithm = fixed)]
    pub async fn q(&self) -> Option<&Limiter> {
        std::future::ready(Some(&self.limiter)).await
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, fallback = self)]
    #[must_use]
    pub fn l(self) -> Self {
        self
    }
}

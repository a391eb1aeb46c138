//@ fail: parameter & once & acquire_within ; n=2 ; at=patience
// What is evaluated once sees no parameter; the second error is about `self`.
use windowlimit::window_rate_limit;
pub struct S;
impl S {
    #[window_rate_limit(limit = 5, window_ms = 60000, max_wait = patience, max_waiters = self.most())]
    pub fn f(&self, patience: std::time::Duration) -> Option<u32> { Some(patience.as_secs() as u32 + self.most()) }
    pub fn most(&self) -> u32 { 1 }
}

//@ fail: fallback ; n=1 ; at=notify
// F105: a function that returns nothing would swallow the refusal.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn notify() {}

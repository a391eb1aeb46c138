//@ fail: not supported yet & max_waiters ; n=1 ; at=max_waiters
// An argument of a later version is an error at its name, and causes no other.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, max_waiters = (user, 1))]
pub fn f(user: &str) -> Option<&str> { Some(user) }

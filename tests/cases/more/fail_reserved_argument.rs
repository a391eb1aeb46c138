//@ fail: not supported yet & key ; n=1 ; at=key
// An argument of a later version is an error at its name, and causes no other.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, key = (user, 1))]
pub fn f(user: &str) -> Option<&str> { Some(user) }

//@ fail: not supported yet & store ; n=1 ; at=store
// An argument of a later version is an error at its name, and causes no other.
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, store = (user, 1))]
pub fn f(user: &str) -> Option<&str> { Some(user) }

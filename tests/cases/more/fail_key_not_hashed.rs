//@ fail: cannot be a key ; n=5
// One error for each, at the key, in functions of every kind.
use windowlimit::{window_rate_limit, Limit};
pub struct Place { pub name: String, pub height: f64 }
#[window_rate_limit(key = user, limit_for = plan, window = "1h")]
pub fn a<T: AsRef<str>>(user: T, plan: Limit) -> Option<T> { Some(user) }
#[window_rate_limit(key = user, limit = 5, window = "1h", permit = p)]
pub fn b<T: AsRef<str>>(user: T) -> Option<T> { p.refund(); Some(user) }
#[window_rate_limit(key = (1, user), limit = 5, window = "1h", permit = p, cost = n)]
pub fn c<T: AsRef<str>>(user: T, n: u32) -> Option<T> { p.refund(); Some(user) }
#[window_rate_limit(limit = 5, window_ms = 60000, key = (place.name, (1, place.height)))]
pub fn f(place: &Place) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 5, window_ms = 60000, key = (place.name, (1, place.height)), cost = n)]
pub fn g(place: &Place, n: u32) -> Option<u32> { Some(1) }

//@ check-pass
// Modules of the user's that are called like crates are not looked into.
pub mod core {}
pub mod std {}
pub mod once_cell {}
pub mod windowlimit {}
#[::windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f() -> Result<u32, ::windowlimit::RateLimitExceeded> { Ok(1) }
#[::windowlimit::window_rate_limit(limit = 2 + 3, window_ms = 60000)]
pub fn g() -> Option<u32> { Some(1) }

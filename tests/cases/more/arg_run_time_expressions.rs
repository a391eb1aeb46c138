//@ check-pass
// Limits, windows and names that only the compiler or the first call knows.
pub struct S;
pub trait T {
    fn m(&self) -> Option<u8>;
}
#[windowlimit::window_rate_limit(limit = 1, window = "1m", name = concat!("a", "b"))]
impl T for S {
    fn m(&self) -> Option<u8> {
        None
    }
}
#[windowlimit::window_rate_limit(limit = 1, window = "1m", name = env!("CARGO_PKG_NAME"))]
pub fn f() -> Option<u8> {
    None
}
#[windowlimit::window_rate_limit(limit = if cfg!(debug_assertions) { 1 } else { 2 }, window = if true { std::time::Duration::from_secs(1) } else { std::time::Duration::MAX })]
pub fn g() -> Option<u8> {
    None
}
#[windowlimit::window_rate_limit(limit = LIMITS[0], window_ms = LIMITS[1] as u64)]
pub fn h() -> Option<u8> {
    None
}
const LIMITS: [u32; 2] = [1, 2];
#[windowlimit::window_rate_limit(limit = u32::from(true), window_ms = std::env::var("X").ok().and_then(|x| x.parse().ok()).unwrap_or(60_000))]
pub fn i() -> Option<u8> {
    None
}

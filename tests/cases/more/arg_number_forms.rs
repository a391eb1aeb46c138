//@ run-pass
// Suffixes, bases, parentheses, white space, and numbers at the ends of their ranges.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window = "900y")]
fn a() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(limit = 4294967295, window_ms = 18446744073709551615)]
fn b() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(limit = 1_u32, window_ms = 0xFFFF_FFFF)]
fn c() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(limit = 0b1, window = " 1h 30min ")]
fn d() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(limit = (1), window_ms = ((60_000)))]
fn e() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(limit = 1, window = r"1m")]
fn f() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(window = std::time::Duration::MAX, limit = u32::MIN + 1)]
fn g() -> Result<u32, E> {
    Ok(1)
}
#[window_rate_limit(window = std::time::Duration::ZERO, limit = 1)]
fn h() -> Result<u32, E> {
    Ok(1)
}
fn main() {
    assert!(a().is_ok() && a().is_err() && b().is_ok() && b().is_ok());
    assert!(c().is_ok() && c().is_err() && d().is_ok() && d().is_err() && e().is_ok() && e().is_err());
    assert!(f().is_ok() && f().is_err() && g().is_ok() && g().is_err() && h().is_err());
}

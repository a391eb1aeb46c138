//@ run-pass
// Literals in every spelling, constants, calls: each value is the one that counts.
use std::time::Duration;
use windowlimit::window_rate_limit;
const TWO: u32 = 2;
mod config { pub fn window() -> std::time::Duration { std::time::Duration::from_secs(60) } pub const MS: u64 = 60_000; }
#[window_rate_limit(limit = 0x2, window_ms = 60_000u64,)]
fn a() -> Option<u32> { Some(1) }
#[window_rate_limit(window = "1m 0.5s", limit = 2u32)]
fn b() -> Option<u32> { Some(1) }
#[window_rate_limit(limit = TWO, window = config::window())]
fn c() -> Option<u32> { Some(1) }
#[window_rate_limit(limit = { let n = TWO; n }, window_ms = config::MS)]
fn d(n: u32) -> Option<u32> { Some(n) }
#[window_rate_limit(limit = u32::from_str_radix("2", 10).unwrap_or(0), window = Duration::MAX)]
fn e() -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 2, window = "5000y")]
fn f() -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 2, window_ms = 18446744073709551615)]
fn g() -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 4294967295, window = "1ns")]
fn h() -> Option<u32> { Some(1) }
fn main() {
    for f in [a, b, c, || d(1), e, f, g] {
        assert!(f().is_some() && f().is_some() && f().is_none());
    }
    assert!(h().is_some());
}

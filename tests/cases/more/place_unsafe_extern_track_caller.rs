//@ run-pass
// `unsafe`, an ABI, `#[track_caller]`: the signature comes out as it went in.
use std::panic::Location;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 60000)]
unsafe fn dangerous(p: *const u32) -> Result<u32, E> { Ok(unsafe { *p }) }
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = -1)]
extern "C" fn exported(n: i32) -> i32 { n }
#[track_caller]
#[window_rate_limit(limit = 1, window_ms = 60000)]
fn line() -> Option<u32> { Some(Location::caller().line()) }
#[window_rate_limit(limit = 1, window_ms = 60000)]
async unsafe fn both() -> Result<u32, E> { Ok(1) }
fn main() {
    let n = 7;
    unsafe { assert_eq!(dangerous(&n).ok(), Some(7)); assert!(dangerous(&n).is_err()); }
    let call: extern "C" fn(i32) -> i32 = exported;
    assert_eq!((call(3), call(3)), (3, -1));
    assert_eq!((line(), line()), (Some(line!()), None));
    drop(unsafe { both() });
}

//@ run-pass
// The window of each spelling is as long as it says.
use std::{thread::sleep, time::Duration};
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 20)]
fn a() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 1, window = "0.02s")]
fn b() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 1, window = Duration::from_millis(20))]
fn c() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limits = [(1, "20ms"), (9, "1h")])]
fn d() -> Result<(), E> { Ok(()) }
fn main() {
    for f in [a, b, c, d] { assert!(f().is_ok()); }
    sleep(Duration::from_millis(25));
    for f in [a, b, c, d] { assert!(f().is_ok()); }
    for f in [a, b, c, d] { if let Err(e) = f() { assert_eq!((e.limit(), e.window()), (1, Duration::from_millis(20))); } }
}

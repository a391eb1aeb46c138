//@ run-pass
// The window of each spelling ends when it says: a refusal tells how long that still is.
use std::time::Duration;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 1, window_ms = 7_200_000)]
fn a() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 1, window = "1.5h30m")]
fn b() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 1, window = Duration::from_secs(7200))]
fn c() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limits = [(1, "2h"), (9, "1h")])]
fn d() -> Result<(), E> { Ok(()) }
fn main() {
    for f in [a, b, c, d] {
        assert!(f().is_ok());
        let refusal = f().unwrap_err();
        assert_eq!((refusal.limit(), refusal.window()), (1, Duration::from_secs(7200)));
        let left = refusal.retry_after().unwrap();
        assert!(left <= Duration::from_secs(7200) && left > Duration::from_secs(7000), "{left:?}");
    }
}

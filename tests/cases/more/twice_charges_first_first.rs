//@ run-pass
// Written twice: two decisions, the first one written being made and charged first.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 2, window = "1m", name = "first", permit = first)]
#[window_rate_limit(limit = 1, window = "1m", name = "second", permit = second)]
fn f() -> Result<(u32, u32), E> { Ok((first.remaining(), second.remaining())) }
fn main() {
    assert_eq!(f().ok(), Some((1, 0)));
    assert_eq!(f().unwrap_err().name(), "second");
    assert_eq!(f().unwrap_err().name(), "first");
}

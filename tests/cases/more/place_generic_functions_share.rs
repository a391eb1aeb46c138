//@ run-pass
// F102: all instances of a generic function share one window, and so does every round of a loop.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 2, window_ms = 60000)]
fn size<T, const N: usize>(_: [T; N]) -> Result<usize, E> where T: Copy { Ok(size_of::<[T; N]>()) }
fn main() {
    assert_eq!(size([1u8, 2]).ok(), Some(2));
    assert_eq!(size([1u64]).ok(), Some(8));
    for _ in 0..3 { assert!(size(['a'; 3]).is_err()); }
}

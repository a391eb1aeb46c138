//@ run-pass
//@ edition: 2021
// Exported under its own name or another, a function is limited for callers of both kinds.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[no_mangle]
#[window_rate_limit(limit = 1, window = "1m", fallback = -1)]
pub extern "C" fn exported_e(n: i32) -> i32 {
    n
}
#[window_rate_limit(limit = 1, window = "1m")]
#[export_name = "other_e"]
pub unsafe fn g() -> Result<i32, E> {
    Ok(1)
}
extern "C" {
    #[link_name = "exported_e"]
    fn imported(n: i32) -> i32;
}
fn main() {
    let _: i32 = exported_e(1);
    assert_eq!(unsafe { imported(3) }, -1);
    assert!(unsafe { g() }.is_ok() && unsafe { g() }.is_err());
}

//@ fail: E0308 ; n=1 ; at=make()
// The error is at the value, however it is evaluated.
fn make() -> u8 {
    5
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = make())]
pub fn f() -> Result<u32, String> {
    Ok(1)
}

//@ warns: unused_must_use
// `#[must_use]` works from either side.
#[must_use]
#[windowlimit::window_rate_limit(limit = 1, window = "1m")]
pub fn f() -> Option<u8> {
    Some(1)
}
pub fn g() {
    f();
}

//@ fail: E0425 | E0412 ; n=1 ; at=Missing
// The type that does not exist is reported once, although it stands there twice.
#[windowlimit::window_rate_limit(limit = 1, window = "1m")]
pub fn f() -> Option<Missing> {
    None
}

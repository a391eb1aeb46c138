//@ fail: unknown ; n=2
// The second error is in a caller, which sees the function.
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, foo = 3)]
pub fn f(x: u8) -> Option<u8> {
    Some(x)
}
pub fn g() {
    let () = f(1);
}

//@ fail: lifetime ; n=1
// Errors of the borrow checker are as without the attribute.
#[windowlimit::window_rate_limit(limit = 1, window = "1m")]
pub fn f<'a, 'b>(x: &'a str, y: &'b str) -> Option<&'a str> {
    if x.is_empty() { Some(y) } else { Some(x) }
}

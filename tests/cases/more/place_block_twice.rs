//@ run-pass
// Twice on a block: two windows for each method, and one attribute of a method replaces both.
use windowlimit::window_rate_limit;
struct S;
#[window_rate_limit(limit = 3, window = "1h")]
#[window_rate_limit(limit = 1, window = "1m")]
impl S {
    fn a(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(limit = 2, window = "1m")]
    fn b(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(skip)]
    fn c(&self) {}
}
fn main() {
    assert!(S.a().is_some() && S.a().is_none());
    assert!(S.b().is_some() && S.b().is_some() && S.b().is_none());
    S.c();
}

//@ run-pass
// Two attributes on one function, with `no_implicit_prelude` and everything forbidden.
#![no_implicit_prelude]
#![forbid(unsafe_code, warnings)]
#[::windowlimit::window_rate_limit(limit = 3, window = "1h", permit = outer, error = 0)]
#[::windowlimit::window_rate_limit(limit = 1, window = "1m", permit = inner, skip_if = n == 9, error = |e| e.limit())]
fn f(n: u32) -> ::core::result::Result<(u32, u32), u32> {
    ::core::result::Result::Ok((outer.remaining(), inner.remaining()))
}
fn main() {
    ::std::assert_eq!(::std::format!("{:?}", f(1)), "Ok((2, 0))");
}

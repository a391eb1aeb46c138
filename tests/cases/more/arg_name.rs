//@ run-pass
// The name that is given, or else the path of the function; on a block with the type.
use windowlimit::window_rate_limit;
mod api {
    use windowlimit::{RateLimitExceeded as E, window_rate_limit};
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    pub fn r#match() -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limit = 1, window_ms = 60000, name = "login")]
    pub fn given() -> Result<u32, E> { Ok(1) }
    pub struct S;
    #[window_rate_limit(limit = 1, window_ms = 60000, name = concat!("svc", "-1"))]
    impl S { pub fn a(&self) -> Result<u32, E> { Ok(1) } }
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    impl S { pub fn b(&self) -> Result<u32, E> { Ok(1) } }
    impl S { #[window_rate_limit(limit = 1, window_ms = 60000)] pub fn c(&self) -> Result<u32, E> { Ok(1) } }
}
fn name<T: std::fmt::Debug>(f: impl Fn() -> Result<T, windowlimit::RateLimitExceeded>) -> String {
    assert!(f().is_ok());
    f().unwrap_err().name().to_owned()
}
#[window_rate_limit(limits = [(1, "1m"), (2, "1h")], name = "two")]
fn two() -> Result<u32, windowlimit::RateLimitExceeded> { Ok(1) }
fn main() {
    let s = api::S;
    assert_eq!(name(api::r#match), concat!(module_path!(), "::api::match"));
    assert_eq!((name(api::given), name(two)), ("login".to_owned(), "two".to_owned()));
    assert_eq!((name(|| s.a()), name(|| s.b())), ("svc-1::a".to_owned(), concat!(module_path!(), "::api::S::b").to_owned()));
    assert_eq!(name(|| s.c()), concat!(module_path!(), "::api::c"));
}

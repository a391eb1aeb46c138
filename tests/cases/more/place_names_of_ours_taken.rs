//@ run-pass
// Constants, macros and modules with names that expansions use, and types of the prelude.
#![allow(non_camel_case_types, dead_code, unused_macros, non_upper_case_globals)]
use windowlimit::{RateLimitExceeded, window_rate_limit};
mod windowlimit_user {}
mod core {}
mod std {}
mod alloc {}
struct Option;
struct Some_;
enum Result {
    Ok,
    Err,
}
struct String;
struct bool_;
trait Refuse {}
trait From {}
trait Into {}
macro_rules! concat {
    ($($t:tt)*) => {
        compile_error!("wrong concat")
    };
}
macro_rules! module_path {
    ($($t:tt)*) => {
        compile_error!("wrong module_path")
    };
}
macro_rules! const_ {
    () => {};
}
static __LIMITER: u32 = 1;
const __exceeded: u32 = 2;
const __skip: u32 = 1;
const __permit: u32 = 2;
const __limiter: u32 = 3;
fn check() {}
fn limiter() {}
fn millis() {}
fn check_n() {}
fn segmented() {}
struct Algorithm;
struct Duration;
const __cost: u32 = 1;
mod __private {}
#[window_rate_limit(limit = 2, window_ms = 60000, skip_if = __exceeded == 9, permit = left)]
fn f() -> ::core::result::Result<u32, RateLimitExceeded> {
    Ok(__exceeded + __skip + __permit + __limiter + left.remaining())
}
#[window_rate_limit(limit = __exceeded, window_ms = 60000, error = __exceeded + __skip)]
fn g() -> ::core::result::Result<u32, u32> {
    Ok(__exceeded + __LIMITER)
}
#[window_rate_limit(limit = 2, window_ms = 60000)]
fn r#fn(r#type: u32) -> ::core::result::Result<u32, RateLimitExceeded> {
    Ok(r#type)
}
#[window_rate_limit(limit = 2, window_ms = 60000, cost = __cost, algorithm = segmented(__cost))]
fn h() -> ::core::result::Result<u32, RateLimitExceeded> {
    Ok(__cost)
}
#[window_rate_limit(limit = 2, window_ms = 60000, cost = 2, algorithm = segmented("100ms"))]
fn i() -> ::core::result::Result<u32, RateLimitExceeded> {
    Ok(__cost)
}
fn main() {
    assert!(h().is_ok() && h().is_ok() && h().is_err());
    assert!(i().is_ok() && i().is_err());
    assert_eq!(f().unwrap(), 9);
    assert_eq!(g().unwrap(), 3);
    assert_eq!(g().unwrap(), 3);
    assert_eq!(g(), Err(3));
    r#fn(1).unwrap();
    r#fn(1).unwrap();
    assert!(r#fn(1).unwrap_err().name().ends_with("::fn"));
}

//@ run-pass
// F98: the same method name in two impls of one module, and in two modules: four windows.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
struct A;
struct B;
impl A { #[window_rate_limit(limit = 1, window_ms = 60000)] fn list(&self) -> Result<u32, E> { Ok(1) } }
impl B { #[window_rate_limit(limit = 1, window_ms = 60000)] fn list(&self) -> Result<u32, E> { Ok(2) } }
mod m { use super::*; #[window_rate_limit(limit = 1, window_ms = 60000)] pub fn list() -> Result<u32, E> { Ok(3) } }
mod n { use super::*; #[window_rate_limit(limit = 1, window_ms = 60000)] pub fn list() -> Result<u32, E> { Ok(4) } }
fn main() {
    assert_eq!((A.list().ok(), B.list().ok(), m::list().ok(), n::list().ok()), (Some(1), Some(2), Some(3), Some(4)));
    assert!(A.list().is_err() && B.list().is_err() && m::list().is_err() && n::list().is_err());
}

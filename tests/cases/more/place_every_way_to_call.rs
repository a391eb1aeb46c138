//@ run-pass
// F101: called from the same impl, through a trait object, through a function pointer, by itself: limited each time.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
trait Run { fn run(&self) -> Result<u32, E>; }
struct S;
impl S { fn inside(&self) -> Result<u32, E> { self.run() } }
impl Run for S { #[window_rate_limit(limit = 3, window_ms = 60000)] fn run(&self) -> Result<u32, E> { Ok(1) } }
#[window_rate_limit(limit = 3, window_ms = 60000)]
fn count_down(n: u32) -> Result<u32, E> { if n == 0 { Ok(0) } else { count_down(n - 1) } }
fn main() {
    let object: Box<dyn Run> = Box::new(S);
    let pointer: fn(&S) -> Result<u32, E> = <S as Run>::run;
    assert!(S.inside().is_ok() && object.run().is_ok() && pointer(&S).is_ok());
    assert!(S.inside().is_err() && object.run().is_err() && pointer(&S).is_err());
    assert!(count_down(2).is_ok());
    assert!(count_down(0).is_err());
}

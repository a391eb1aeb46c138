//@ run-pass
// A default method is one source function: all implementors share its window.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
trait Greet {
    fn name(&self) -> String;
    #[window_rate_limit(limit = 2, window_ms = 60000)]
    fn greet(&self) -> Result<String, E> { Ok(format!("hello {}", self.name())) }
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    fn make() -> Result<Self, E> where Self: Sized + Default { Ok(Self::default()) }
}
#[derive(Default)] struct A;
struct B;
impl Greet for A { fn name(&self) -> String { "a".into() } }
impl Greet for B { fn name(&self) -> String { "b".into() } }
fn main() {
    assert_eq!(A.greet().unwrap(), "hello a");
    let dynamic: &dyn Greet = &B;
    assert_eq!(dynamic.greet().unwrap(), "hello b");
    assert!(A.greet().is_err() && dynamic.greet().is_err());
    assert!(A::make().is_ok() && A::make().is_err());
}

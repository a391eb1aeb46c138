//@ run-pass
// Generic blocks, blocks of traits, associated items of every kind, and the names of the windows.
use std::fmt::Debug;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
struct Pair<A, B = u8>(A, B);
#[window_rate_limit(limit = 1, window_ms = 60000)]
impl<A: Debug + Clone, const N: usize> Pair<A, [A; N]> where [A; N]: Debug {
    const SIZE: usize = N;
    fn first(&self) -> Result<A, E> { Ok(self.0.clone()) }
    fn size() -> Result<Foo<{ 1 + 1 }>, E> { Ok(Foo) }
    async fn later(&self) -> Result<usize, E> { Ok(Self::SIZE) }
    macro_in!();
}
#[derive(Debug)] struct Foo<const N: usize>;
macro_rules! macro_in { () => { #[allow(dead_code)] fn from_macro(&self) -> u32 { 1 } } }
use macro_in;
trait Shape { type Unit: Default; const SIDES: u32; fn area(&self) -> Result<Self::Unit, E>; fn name(&self) -> Option<&str>; }
#[window_rate_limit(limit = 1, window_ms = 60000)]
impl<T> Shape for Vec<T> {
    type Unit = u32;
    const SIDES: u32 = { 1 + 2 };
    fn area(&self) -> Result<Self::Unit, E> { Ok(Self::SIDES) }
    fn name(&self) -> Option<&str> { Some("vec") }
}
fn main() {
    let pair = Pair(1, [1, 2, 3]);
    assert_eq!(pair.first().ok(), Some(1));
    let refusal = pair.first().unwrap_err();
    assert!(refusal.name().ends_with("::Pair<A, [A; N]>::first"), "{}", refusal.name());
    assert!(Pair::<u8, [u8; 1]>::size().is_ok() && Pair::<u8, [u8; 1]>::size().is_err());
    drop(pair.later());
    let shape = vec![1u8];
    assert_eq!((shape.area().ok(), shape.name()), (Some(3), Some("vec")));
    let refusal = shape.area().unwrap_err();
    assert!(refusal.name().ends_with("::Vec<T>::area"), "{}", refusal.name());
    assert_eq!(shape.name(), None);
}

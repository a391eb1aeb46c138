//@ run-pass
// Fragments of `macro_rules!` keep their bounds: in the body, in the type, in the values of arguments.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
macro_rules! twice { ($(#[$m:meta])* $v:vis fn $name:ident($($p:ident : $t:ty),*) -> $r:ty $body:block) => {
    $(#[$m])* #[window_rate_limit(limit = 2, window_ms = 60000)] $v fn $name($($p: $t),*) -> $r $body
} }
twice!(#[inline] pub fn add(a: u32, b: u32) -> Result<u32, E> { Ok(a + b) });
macro_rules! product { ($name:ident, $e:expr, $t:ty) => {
    #[window_rate_limit(limit = 2, window_ms = 60000)]
    fn $name() -> Result<$t, E> { Ok($e * 2) }
} }
product!(six, 1 + 2, u32);
macro_rules! inner { ($name:ident, $e:expr) => {
    #[window_rate_limit(limit = 2, window_ms = 60000, fallback = $e * 2)]
    fn $name() -> u32 { #![allow(unused_variables)] let unused = 1; $e * 2 }
} }
inner!(six_too, 1 + 2);
macro_rules! limited { ($name:ident, $n:expr, $w:expr) => {
    #[window_rate_limit(limit = $n * 2, window_ms = $w)]
    fn $name() -> Option<u32> { Some(1) }
} }
limited!(four, 1 + 1, 60_000);
macro_rules! listed { ($name:ident, $n:expr, $w:literal) => {
    #[window_rate_limit(limits = [($n, $w), ($n * 3, "1h")])]
    fn $name() -> Option<u32> { Some(1) }
} }
listed!(three, 1 + 2, "1m");
macro_rules! constant { ($e:expr) => {
    struct C;
    #[window_rate_limit(limit = 2, window_ms = 60000)]
    impl C { const N: u32 = $e * 2; fn get(&self) -> Option<u32> { Some(Self::N) } }
} }
constant!(1 + 1);
macro_rules! pointed { ($t:ty) => {
    #[window_rate_limit(limit = 2, window_ms = 60000, fallback = x)]
    fn pointed<'a>(x: &'a $t) -> &'a $t { x }
} }
pointed!(dyn std::any::Any + Send);
fn main() {
    assert_eq!((add(1, 2).ok(), six().ok()), (Some(3), Some(6)));
    assert_eq!((six_too(), six_too(), six_too()), (6, 6, 6));
    for _ in 0..4 { assert!(four().is_some()); }
    assert!(four().is_none());
    for _ in 0..3 { assert!(three().is_some()); }
    assert!(three().is_none());
    assert_eq!(C.get(), Some(4));
    assert!(pointed(&1u8).is::<u8>());
}

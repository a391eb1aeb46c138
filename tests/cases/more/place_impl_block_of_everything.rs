//@ run-pass
// An impl block with generics, macros, constants, inner attributes and methods of every kind.
use std::marker::PhantomData;
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
struct G<'a, T: ?Sized, const N: usize>(&'a str, PhantomData<T>);
macro_rules! item {
    ($n:ident) => {
        fn $n(&self) -> u8 {
            3
        }
    };
}
macro_rules! method { ($(#[$m:meta])* $v:vis fn $n:ident($($p:ident: $t:ty),*) -> $r:ty $b:block) => { struct M;
 #[window_rate_limit(limit = 1, window_ms = 60000)] impl M { $(#[$m])* $v fn $n($($p: $t),*) -> $r $b } } }
method! { #[inline] pub(crate) fn z(a: u8, b: Vec<u8>) -> Option<u8> { Some(a + b[0]) } }
#[window_rate_limit(limit = 1, window_ms = 60000)]
impl<'a, T: ?Sized + Send, const N: usize> G<'a, T, N>
where
    T: 'a,
{
    #![allow(dead_code)]
    //! Inner docs.
    pub const X: [u8; N] = { [0; N] };
    item!(from_macro);
    item! { from_macro2 }
    /// Docs.
    #[inline]
    #[must_use = "x"]
    pub(crate) unsafe fn a(&self) -> Option<&'a str> {
        Some(self.0)
    }
    pub async fn b<U>(self: &mut Self, _u: U) -> Result<usize, E>
    where
        U: Send,
    {
        Ok(N)
    }
    extern "Rust" fn c() -> Option<u8> {
        Some(1)
    }
    #[cfg(any())]
    fn missing(&self) {}
    #[window_rate_limit(skip)]
    const fn k() -> u8 {
        1
    }
    #[window_rate_limit(skip)]
    fn new(s: &'a str) -> Self {
        G(s, PhantomData)
    }
    #[window_rate_limit(limiter = SHARED)]
    fn s(&self) -> Option<u8> {
        Some(1)
    }
}
static SHARED: Limiter = Limiter::new("s", Limit::per_minute(1));
impl<T> Iterator for G<'_, T, 7> {
    type Item = u8;
    #[window_rate_limit(limit = 2, window = "1m")]
    fn next(&mut self) -> Option<Self::Item> {
        Some(1)
    }
}
#[window_rate_limit(limit = 2, window = "1m", fallback = Default::default())]
impl<T> std::ops::Add for G<'_, T, 9> {
    type Output = u8;
    fn add(self, _: Self) -> u8 {
        3
    }
}
fn main() {
    let mut g = G::<str, 1>::new("x");
    assert!(unsafe { g.a() }.is_some() && unsafe { g.a() }.is_none());
    assert_eq!(g.from_macro() + g.from_macro2(), 6);
    drop(g.b(1));
    assert!(G::<str, 1>::c().is_some() && G::<str, 2>::c().is_none());
    assert_eq!(G::<str, 1>::k(), 1);
    assert!(g.s().is_some() && g.s().is_none());
    assert_eq!(M::z(1, vec![2]), Some(3));
    assert_eq!(M::z(1, vec![2]), None);
    assert_eq!(G::<u8, 7>("", PhantomData).count(), 2);
    let a = || G::<u8, 9>("", PhantomData);
    assert_eq!((a() + a(), a() + a(), a() + a()), (3, 3, 0));
}

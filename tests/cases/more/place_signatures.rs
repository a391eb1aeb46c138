//@ check-pass
// Qualifiers, generics, bounds and return types of every kind.
#![allow(async_fn_in_trait, unused, clippy::all)]
use std::{ops::Deref, pin::Pin, rc::Rc, sync::Arc};
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
pub mod m {
    pub mod n {
        #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
        pub(in crate::m) unsafe extern "C-unwind" fn a(_: *const u8) -> Option<&'static u8> {
            None
        }
        #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
        pub(super) async unsafe fn b() -> Option<u8> {
            None
        }
    }
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
extern "C" fn c() -> Option<&'static u8> {
    None
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn d<const N: usize, const B: bool, const C: char>() -> Option<[u8; N]> {
    None
}
pub struct Z<const N: i32, T = u8>(T);
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn e() -> Result<Z<-1, [u8; { 1 + 2 }]>, E> {
    Ok(Z([0; 3]))
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn g<F, T>(f: F) -> Result<T, E>
where
    F: for<'a> FnOnce(&'a u8) -> T,
    [T; 3]: Sized,
    for<'b> &'b T: Copy,
{
    Ok(f(&1))
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn h(x: impl Fn(u8) -> Option<u8> + Copy, y: &dyn Fn() -> u8, z: fn(&u8) -> &u8) -> Option<fn(&u8) -> &u8> {
    Some(z)
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn i<'a, 'b: 'a, T: ?Sized + 'a>(x: &'a T, y: &'b str) -> Result<(&'a T, &'a dyn Fn(&'b str) -> &'b str), E> {
    Ok((x, &|x| x))
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
async fn j<'a>(x: &'a mut Vec<&'a str>, f: impl AsyncFn(u8) -> u8) -> Result<Option<&'a str>, E> {
    f(1).await;
    Ok(x.pop())
}
pub trait K: Sized {
    type G<'x, T>
    where
        Self: 'x,
        T: 'x;
    const N: usize;
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn k<'x, T>(&'x self, t: T) -> Result<Self::G<'x, T>, E>
    where
        T: 'x,
        Self::G<'x, T>: From<T>,
    {
        Ok(t.into())
    }
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn l(self: Rc<Self>) -> Option<Rc<Self>> {
        Some(self)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000, fallback = std::iter::empty())]
    fn m(self: &Arc<Self>) -> impl Iterator<Item = u8> + use<Self>
    where
        Option<u8>: Into<Option<u8>>,
    {
        panic!();
        #[allow(unreachable_code)]
        std::iter::empty()
    }
}

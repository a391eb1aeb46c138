//@ check-pass
// `impl Trait`, `use<..>`, signatures and associated types in the return type.
#![allow(async_fn_in_trait)]
use std::fmt::{Debug, Display};
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn a<'a>(s: &'a str, _t: &u8) -> Result<impl Display + use<'a>, E> {
    Ok(s.trim())
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub async fn b(s: &str) -> Result<impl Display + Debug, E> {
    Ok(s.len())
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn c() -> Option<impl Fn(u8) -> Option<u8>> {
    Some(|x| Some(x))
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn d() -> Option<(impl Display, [impl Debug; 2], Vec<impl Into<Vec<u8>>>)> {
    Some((1, [2, 3], vec!["x"]))
}
pub trait T {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn e(&self) -> Result<impl Display, E> {
        Ok(1)
    }
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn f(&self) -> impl Future<Output = Result<u8, E>> + Send {
        async { Ok(1) }
    }
    type A: Default;
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn g(&self) -> Result<Self::A, E>
    where
        Self: Sized,
    {
        Ok(Default::default())
    }
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn h() -> Result<Self, E>
    where
        Self: Default,
    {
        Ok(Default::default())
    }
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    async fn i(&self) -> Result<<Self as T>::A, E>
    where
        Self: Sized,
    {
        Ok(Default::default())
    }
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn j() -> Option<Result<u8, E>> {
    Some(Ok(1))
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn k() -> Result<for<'a> fn(&'a u8) -> &'a u8, E> {
    Ok(|x| x)
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn l<'a>(x: &'a str) -> Result<Box<dyn for<'b> Fn(&'b u8) -> &'a str + 'a>, E> {
    Ok(Box::new(move |_| x))
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn m() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Ok(())
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn n() -> Result<core::convert::Infallible, E> {
    loop {}
}
macro_rules! ty { ($t:ty) => { Result<$t, E> } }
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn o() -> ty!(u8) {
    Ok(1)
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn p() -> Result<impl Iterator<Item = impl Display>, impl std::error::Error + From<E>> {
    if false {
        return Err::<_, Er>(Er);
    }
    Ok(std::iter::once(1))
}
#[derive(Debug)]
pub struct Er;
impl Display for Er {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl std::error::Error for Er {}
impl From<E> for Er {
    fn from(_: E) -> Self {
        Er
    }
}

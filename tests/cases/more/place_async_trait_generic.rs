//@ run-pass
//@ deps: futures async-trait
// Generic traits and methods, default methods, `?Send`, receivers by value.
use async_trait::async_trait;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[async_trait]
trait Repo<K: Send + Sync + 'static> {
    async fn get<'a, V: Into<String> + Send>(&'a self, k: &'a K, v: V) -> Result<(&'a K, String), E>
    where
        K: Clone;
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    async fn by_value(self: Box<Self>, n: u32) -> Option<u32>
    where
        Self: Sized + Send,
    {
        Some(n)
    }
}
struct M;
#[window_rate_limit(limit = 1, window_ms = 60000)]
#[async_trait]
impl<K: Send + Sync + 'static> Repo<K> for M {
    async fn get<'a, V: Into<String> + Send>(&'a self, k: &'a K, v: V) -> Result<(&'a K, String), E>
    where
        K: Clone,
    {
        Ok((k, v.into()))
    }
}
struct L;
#[async_trait(?Send)]
trait Loc {
    async fn f(&mut self, r: std::rc::Rc<u32>) -> Result<u32, E>;
}
#[async_trait(?Send)]
impl Loc for L {
    #[window_rate_limit(limit = 1, window_ms = 60000)]
    async fn f(&mut self, r: std::rc::Rc<u32>) -> Result<u32, E> {
        std::future::ready(()).await;
        Ok(*r)
    }
}
fn main() {
    use futures::executor::block_on as b;
    assert!(b(M.get(&1u8, "x")).is_ok());
    assert!(b(M.get(&1u8, "x")).is_err());
    assert!(b(Repo::<u8>::by_value(Box::new(M), 1)).is_some());
    assert!(b(Repo::<u8>::by_value(Box::new(M), 1)).is_none());
    let mut l = L;
    assert!(b(l.f(std::rc::Rc::new(1))).is_ok());
    assert!(b(l.f(std::rc::Rc::new(1))).is_err());
}

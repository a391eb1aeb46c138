//@ run-pass
//@ deps: async-trait futures
// On an impl block each method has its keys for itself; under `#[async_trait]` and in generic blocks too.
use async_trait::async_trait;
use futures::executor::block_on;
use std::hash::Hash;
use windowlimit::{Limit, RateLimitExceeded as E, window_rate_limit};
struct Tenant<T> { id: T, plan: Limit }
#[window_rate_limit(key = self.id, limit_for = self.plan, window = "1m", max_keys = 10)]
impl<T: Hash + Clone + Sync> Tenant<T> {
    fn read(&self) -> Result<T, E> { Ok(self.id.clone()) }
    async fn write(&self) -> Result<(), E> { std::future::ready(Ok(())).await }
    #[window_rate_limit(limit = 1, window = "1m", key = (self.id, name), name = "named")]
    fn named(&self, name: String) -> Result<String, E> { Ok(name) }
    #[window_rate_limit(skip)]
    fn id(&self) -> &T { &self.id }
}
#[async_trait]
trait Store { async fn get(&self, key: String) -> Result<String, E>; async fn put(&mut self, key: &str) -> Option<u32>; }
#[window_rate_limit(limit = 1, window = "1m", key = (self.id, key), permit = p)]
#[async_trait]
impl Store for Tenant<String> {
    async fn get(&self, key: String) -> Result<String, E> { std::future::ready(()).await; p.refund(); Ok(key) }
    async fn put(&mut self, key: &str) -> Option<u32> { self.id.push('!'); Some(p.remaining()) }
}
#[async_trait]
#[window_rate_limit(limit = 1, window = "1m", key = self.id)]
impl Store for Tenant<u8> {
    async fn get(&self, key: String) -> Result<String, E> { std::future::ready(()).await; Ok(key) }
    async fn put(&mut self, _: &str) -> Option<u32> { self.id += 1; Some(1) }
}
fn tenant<T>(id: T, calls: u32) -> Tenant<T> { Tenant { id, plan: Limit::per_minute(calls) } }
fn main() {
    let (a, b) = (tenant("a", 1), tenant("b", 2));
    assert!(a.read().is_ok() && a.read().is_err() && b.read().is_ok() && b.read().is_ok() && b.read().is_err());
    assert!(block_on(a.write()).is_ok() && block_on(a.write()).is_err() && block_on(b.write()).is_ok());
    assert!(a.named("x".into()).is_ok() && a.named("y".into()).is_ok() && b.named("x".into()).is_ok() && a.id() == &"a");
    assert_eq!((a.named("x".into()).unwrap_err().name(), a.read().unwrap_err().name().ends_with("::Tenant<T>::read")), ("named", true));
    let (mut text, mut number) = (tenant(String::from("a"), 1), tenant(1_u8, 1));
    for _ in 0..3 { assert!(block_on(text.get("x".into())).is_ok()); }
    assert_eq!((block_on(text.put("x")), block_on(text.put("x"))), (Some(0), Some(0)));
    text.id = "a".into();
    assert_eq!((block_on(text.put("x")), block_on(text.put("y"))), (None, Some(0)));
    assert!(block_on(number.get("x".into())).is_ok() && block_on(number.get("y".into())).is_err());
    assert!(block_on(number.put("x")).is_some() && block_on(number.put("x")).is_some());
    number.id = 1;
    assert!(block_on(number.put("x")).is_none());
}

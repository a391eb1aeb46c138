//@ run-pass
//@ deps: futures
// Functions, and calls by hand, share the windows of one `KeyedLimiter`, wherever it is.
use futures::executor::block_on;
use std::sync::{Arc, LazyLock, OnceLock};
use windowlimit::{KeyedLimiter, Limit, Permit, RateLimitExceeded as E, window_rate_limit};
static LOGINS: KeyedLimiter = KeyedLimiter::new("logins", Limit::per_minute(2));
static LAZY: LazyLock<KeyedLimiter> = LazyLock::new(|| KeyedLimiter::new("lazy", Limit::per_minute(1)));
static ONCE: OnceLock<KeyedLimiter> = OnceLock::new();
static LIMITS: KeyedLimiter = KeyedLimiter::all_of("limits", &[Limit::per_second(5), Limit::per_hour(10)]).with_max_keys(5);
#[window_rate_limit(limiter = LOGINS, key = user)]
fn one(user: &str) -> Result<(), E> { Ok(()) }
#[window_rate_limit(limiter = &LOGINS, key = user.1, permit = p)]
async fn two(user: (u8, String)) -> Result<u32, E> { Ok(p.remaining()) }
#[window_rate_limit(limiter = LAZY, key = (a, b))]
fn lazy(a: u8, b: &str) -> Option<u32> { Some(1) }
#[window_rate_limit(limiter = ONCE.get_or_init(|| KeyedLimiter::new("once", Limit::per_minute(1))), key = a, skip_if = a == 9, permit = p)]
fn once(a: u8) -> Option<u32> { Some(p.cost()) }
#[window_rate_limit(limiter = LIMITS, key = a, cost = n, permit = p)]
fn limits(a: u8, n: u32, back: bool) -> Option<u32> { let left = p.remaining(); if back { p.refund(); } Some(left) }
struct Service { limiter: Arc<KeyedLimiter>, other: Option<KeyedLimiter> }
impl Service {
    fn limiter(&self) -> Arc<KeyedLimiter> { self.limiter.clone() }
    #[window_rate_limit(limiter = self.limiter, key = tenant)]
    fn field(&self, tenant: String) -> Result<String, E> { Ok(tenant) }
    #[window_rate_limit(limiter = self.limiter(), key = tenant, permit = p)]
    async fn made(&self, tenant: String) -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
    #[window_rate_limit(limiter = match &self.other { Some(other) => other, None => &self.limiter }, key = tenant, cost = 2)]
    fn branches(&self, tenant: &str) -> Option<u32> { Some(1) }
    #[window_rate_limit(limiter = *self.limiter, key = tenant)]
    fn dereferenced(self: Arc<Self>, tenant: &str) -> Option<u32> { Some(1) }
}
struct Block<'l>(&'l KeyedLimiter, u32);
#[window_rate_limit(limiter = self.0, key = self.1)]
impl Block<'_> {
    fn one(&self) -> Option<u32> { Some(1) }
    async fn two(&self) -> Option<u32> { Some(1) }
}
// A permit lives as long as the limiter, not as long as the object that refers to it.
impl<'l> Block<'l> {
    #[window_rate_limit(limiter = self.0, key = self.1.to_string(), permit = p)]
    fn kept(&self) -> Option<Permit<'l>> { Some(p) }
    #[window_rate_limit(limiter = self.0, key = self.1.to_string(), permit = p, cost = self.1, skip_if = self.1 == 0)]
    fn kept_at_a_cost(self) -> Option<Permit<'l>> { Some(p) }
}
#[window_rate_limit(limiter = limiter, key = key)]
fn generic<L: std::ops::Deref<Target = KeyedLimiter>>(limiter: L, key: u32) -> Option<L> { Some(limiter) }
fn main() {
    assert!(one("ann").is_ok() && one("bob").is_ok());
    assert_eq!(block_on(two((1, "ann".into()))).ok(), Some(0));
    assert!(one("ann").is_err() && LOGINS.check("ann").is_err() && LOGINS.check("bob").is_ok() && one("bob").is_err());
    assert_eq!(one("ann").unwrap_err().name(), "logins");
    assert!(lazy(1, "a").is_some() && lazy(1, "b").is_some() && lazy(1, "a").is_none());
    // By hand the same value is the same key, borrowed parts or not.
    assert!(LAZY.check(&(1_u8, "b")).is_err() && LAZY.check(&(1_u8, String::from("b"))).is_err() && LAZY.check(&(2_u8, "b")).is_ok());
    assert_eq!([once(1), once(2), once(1), once(9), once(9)], [Some(1), Some(1), None, Some(0), Some(0)]);
    assert_eq!([limits(1, 5, true), limits(1, 3, false), limits(1, 3, false), limits(1, 2, false), limits(2, 1, false)], [Some(0), Some(2), None, Some(0), Some(4)]);
    let service = |other| Arc::new(Service { limiter: Arc::new(KeyedLimiter::new("service", Limit::per_minute(3))), other });
    let a = service(None);
    assert!(a.field("x".into()).is_ok() && block_on(a.made("x".into())).ok() == Some(1) && a.clone().dereferenced("x").is_some());
    assert!(a.field("x".into()).is_err() && block_on(a.made("x".into())).is_err() && a.field("y".into()).is_ok());
    assert!(a.branches("z").is_some() && a.branches("z").is_none() && a.field("z".into()).is_ok() && a.dereferenced("z").is_none());
    let b = service(Some(KeyedLimiter::new("other", Limit::per_minute(5))));
    assert!(b.branches("x").is_some() && b.branches("x").is_some() && b.branches("x").is_none() && b.field("x".into()).is_ok());
    let limiter = KeyedLimiter::new("block", Limit::per_minute(2));
    assert!(Block(&limiter, 1).one().is_some() && block_on(Block(&limiter, 1).two()).is_some());
    assert!(Block(&limiter, 1).one().is_none() && Block(&limiter, 2).one().is_some());
    let (one, two) = (Block(&limiter, 1).kept(), Block(&limiter, 1).kept_at_a_cost());
    assert!(one.is_some() && two.is_some() && Block(&limiter, 1).kept().is_none());
    one.unwrap().refund();
    assert!(Block(&limiter, 1).kept().is_some() && Block(&limiter, 0).kept_at_a_cost().is_some());
    assert!(generic(&limiter, 3).is_some() && generic(Arc::new(limiter), 2).is_some());
}

//@ run-pass
//@ deps: futures
// What may stand in the arguments beside `wait`: borrows, locks, `?`, `.await`, what other arguments take.
use futures::executor::block_on;
use std::{collections::BTreeMap, rc::Rc, sync::{Arc, LazyLock, Mutex, OnceLock, RwLock}};
use windowlimit::{KeyedLimiter, Limit, Limiter, Permit, RateLimitExceeded as E, window_rate_limit};
// Locks that `key`, `limit_for` and `cost` hold on to are free again in the body and in the answer.
struct Shared { names: Mutex<Vec<String>>, plans: RwLock<BTreeMap<usize, Limit>> }
impl Shared {
    #[window_rate_limit(limit = 1, window = "1h", max_wait_ms = 1, key = self.names.lock().unwrap()[n], error = self.names.try_lock().is_ok())]
    fn key(&self, n: usize) -> Result<bool, bool> { Ok(self.names.try_lock().is_ok()) }
    #[window_rate_limit(limit = 4, window = "1h", max_wait_ms = 1, key = (self.plans.read().unwrap().len(), n), cost = self.names.lock().unwrap().len() as u32, permit = _p, error = self.names.try_lock().is_ok())]
    async fn cost(&self, n: usize) -> Result<bool, bool> { std::future::ready(()).await; Ok(self.plans.try_write().is_ok()) }
    #[window_rate_limit(window = "1h", max_wait_ms = 1, key = self.names.lock().unwrap()[n], limit_for = self.plans.write().unwrap()[&n], fallback = { std::future::ready(()).await; self.plans.try_write().is_ok() })]
    async fn limit_for(&self, n: usize) -> bool { let free = self.names.try_lock().is_ok(); std::future::ready(free).await }
}
#[window_rate_limit(limit = 5, window = "1h", wait, cost = text.parse().map_err(|_| 8_u8)?, error = 9)]
async fn question_mark(text: &str) -> Result<u32, u8> { Ok(1) }
#[window_rate_limit(limit = 5, window = "1h", wait, key = load(&name).await, cost = load(&name).await as u32)]
async fn awaits(name: String) -> Option<String> { Some(name) }
async fn load(name: &str) -> usize { std::future::ready(name.len()).await }
#[window_rate_limit(limit = N_CALLS, window = "1h", max_wait = { let w: std::time::Duration = WAIT.into(); w }, max_waiters = match N_CALLS { 2 => 7, n => n })]
fn blocks() -> Option<u8> { Some(1) }
const N_CALLS: u32 = 2;
const WAIT: std::time::Duration = std::time::Duration::from_millis(1);
#[window_rate_limit(limit = 2, window = "1h", wait, cost = N)]
fn generic<T: ToString, const N: u32>(value: T) -> Option<String> { Some(value.to_string()) }
macro_rules! limited {
    ($name:ident, $wait:expr, $most:literal, $twice:expr, $n:ident) => {
        #[window_rate_limit(limit = 4, window = "1h", max_wait = $wait, max_waiters = $most, cost = $n * $twice)]
        fn $name($n: u32) -> Option<u32> { Some($n) }
    };
}
limited!(from_macro, "1ms", 3, 1 + 1, n);
limited!(from_macro_too, WAIT * 1, 3, 1 + 1, n);
macro_rules! forwarded { ($($args:tt)*) => { #[window_rate_limit($($args)*)] async fn tokens() -> Option<u32> { Some(1) } }; }
forwarded!(limit = 1, window = "1h", wait, max_wait_ms = 1,);
// Wherever a limiter may be, and whatever refers to it.
static LAZY: LazyLock<Limiter> = LazyLock::new(|| Limiter::new("lazy", Limit::per_hour(1)));
static ONCE: OnceLock<KeyedLimiter> = OnceLock::new();
#[window_rate_limit(limiter = LAZY, max_wait_ms = 1)]
fn lazy() -> Option<u32> { Some(1) }
#[window_rate_limit(limiter = ONCE.get_or_init(|| KeyedLimiter::new("once", Limit::per_hour(1))), max_wait_ms = 1, key = a, skip_if = a == 9, permit = p)]
async fn once(a: u8) -> Option<u32> { Some(p.cost()) }
struct Service { limiter: Arc<Limiter>, other: Option<Limiter>, many: Mutex<Vec<Arc<KeyedLimiter>>> }
impl Service {
    fn limiter(&self) -> Arc<Limiter> { self.limiter.clone() }
    #[window_rate_limit(limiter = self.limiter, wait)]
    async fn field(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.limiter(), wait, permit = p)]
    async fn made(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
    #[window_rate_limit(limiter = match &self.other { Some(other) => other, None => &self.limiter }, max_wait_ms = 1, cost = 2)]
    fn branches(&self) -> Option<u32> { Some(1) }
    #[window_rate_limit(limiter = *self.limiter, max_wait_ms = 1)]
    fn dereferenced(self: Arc<Self>) -> Option<u32> { Some(1) }
    #[window_rate_limit(limiter = Arc::clone(&self.many.lock().unwrap()[n]), max_wait_ms = 1, key = n, error = self.many.try_lock().is_ok())]
    async fn cloned(&self, n: usize) -> Result<bool, bool> { Ok(self.many.try_lock().is_ok()) }
}
#[window_rate_limit(limiter = limiter, wait)]
async fn counted_here(limiter: Rc<Limiter>) -> Option<Rc<Limiter>> { Some(limiter) }
#[window_rate_limit(limiter = limiter, key = key, wait)]
fn by_generic<L: std::ops::Deref<Target = KeyedLimiter>>(limiter: L, key: u32) -> Option<L> { Some(limiter) }
// A permit lives as long as the limiter, not as long as the object that refers to it.
struct Held<'l>(&'l Limiter, &'l KeyedLimiter, u32);
impl<'l> Held<'l> {
    #[window_rate_limit(limiter = self.0, wait, permit = p)]
    fn kept(&self) -> Option<Permit<'l>> { Some(p) }
    #[window_rate_limit(limiter = self.1, wait, key = self.2.to_string(), permit = p, cost = self.2, skip_if = self.2 == 0)]
    async fn kept_of_key(self) -> Option<Permit<'l>> { Some(p) }
}
// Two decisions, each with a turn of its own; the one that is written first is charged first.
#[window_rate_limit(limit = 3, window = "1h", wait, name = "first")]
#[window_rate_limit(limit = 1, window = "1h", max_wait_ms = 1, name = "second")]
async fn twice() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 1, window = "1h", max_wait_ms = 1, name = "first")]
#[window_rate_limit(limit = 3, window = "1h", name = "second")]
fn once_waiting() -> Result<u32, E> { Ok(1) }
fn main() {
    let shared = Shared { names: Mutex::new(vec!["a".into(), "b".into(), "a".into()]), plans: RwLock::new([(0, Limit::per_hour(1)), (1, Limit::per_hour(2))].into()) };
    assert_eq!([0, 1, 2].map(|n| shared.key(n)), [Ok(true), Ok(true), Err(true)]);
    assert_eq!([0, 1, 0].map(|n| block_on(shared.cost(n))), [Ok(true), Ok(true), Err(true)]);
    assert_eq!([0, 0, 1, 1].map(|n| block_on(shared.limit_for(n))), [true; 4]);
    assert_eq!((block_on(question_mark("4")), block_on(question_mark("x")), block_on(question_mark("9"))), (Ok(1), Err(8), Err(9)));
    assert!(block_on(awaits("four".into())).is_some() && block_on(awaits("ab".into())).is_some());
    assert_eq!((blocks(), blocks(), blocks()), (Some(1), Some(1), None));
    assert!(generic::<_, 2>("a").is_some() && generic::<_, 3>(1).is_none());
    assert_eq!(([2, 1].map(from_macro), [2, 1].map(from_macro_too)), ([Some(2), None], [Some(2), None]));
    assert!(block_on(tokens()).is_some() && block_on(tokens()).is_none());
    assert!(lazy().is_some() && lazy().is_none() && LAZY.check().is_err());
    assert_eq!([1, 2, 1, 9].map(|a| block_on(once(a))), [Some(1), Some(1), None, Some(0)]);
    let limiter = || Arc::new(Limiter::new("service", Limit::per_hour(4)));
    let many = || Arc::new(KeyedLimiter::new("many", Limit::per_hour(1)));
    let a = Arc::new(Service { limiter: limiter(), other: None, many: Mutex::new(vec![many(), many()]) });
    assert!(block_on(a.field()).is_ok() && block_on(a.made()).ok() == Some(2) && a.branches().is_some());
    assert!(a.branches().is_none() && a.clone().dereferenced().is_none());
    assert_eq!([0, 1, 0].map(|n| block_on(a.cloned(n))), [Ok(true), Ok(true), Err(true)]);
    let b = Service { limiter: limiter(), other: Some(Limiter::new("other", Limit::per_hour(2))), many: Mutex::default() };
    assert!(b.branches().is_some() && b.branches().is_none() && block_on(b.made()).ok() == Some(3));
    let counted = Rc::new(Limiter::new("counted", Limit::per_hour(1)));
    assert!(block_on(counted_here(counted.clone())).is_some() && counted.check().is_err());
    let keys = KeyedLimiter::new("keys", Limit::per_hour(2));
    assert!(by_generic(&keys, 3).is_some() && by_generic(Arc::new(KeyedLimiter::new("own", Limit::per_hour(1))), 3).is_some());
    let plain = Limiter::new("plain", Limit::per_hour(1));
    let kept = Held(&plain, &keys, 0).kept();
    assert!(kept.is_some() && plain.check().is_err());
    kept.unwrap().refund();
    assert!(plain.check().is_ok());
    let (one, none) = (block_on(Held(&plain, &keys, 2).kept_of_key()), block_on(Held(&plain, &keys, 0).kept_of_key()));
    assert_eq!((one.unwrap().cost(), none.unwrap().cost()), (2, 0));
    assert!(block_on(twice()).is_ok());
    assert_eq!((block_on(twice()).unwrap_err().name(), block_on(twice()).unwrap_err().name()), ("second", "second"));
    assert!(once_waiting().is_ok() && once_waiting().unwrap_err().name() == "first");
}

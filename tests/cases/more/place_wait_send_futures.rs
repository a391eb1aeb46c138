//@ check-pass
// A future that waits is `Send` as without the attribute: nothing of the user's is held on to meanwhile, though the guard
// of a lock may not be sent.
use std::sync::{Arc, Mutex, MutexGuard};
use windowlimit::{KeyedLimiter, Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window = "1m", wait, fallback = { std::future::ready(()).await; 0 })]
pub async fn plain(n: u32) -> u32 { std::future::ready(()).await; n }
#[window_rate_limit(limit = 5, window = "1m", max_wait = std::time::Duration::from_secs(n_secs()), fallback = |_| 0)]
pub async fn run_time(n: u32) -> u32 { std::future::ready(()).await; n }
fn n_secs() -> u64 { 2 }
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> { mutex.lock().expect("no panic") }
pub struct S { pub limiters: Mutex<Vec<Arc<Limiter>>>, pub names: Mutex<Vec<String>>, pub plans: Mutex<Vec<Limit>>, pub limiter: KeyedLimiter }
impl S {
    #[window_rate_limit(limiter = Arc::clone(&lock(&self.limiters)[0]), wait)]
    pub async fn limiter(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(limiter = Arc::clone(&lock(&self.limiters)[0]), wait, cost = lock(&self.names).len() as u32, permit = p)]
    pub async fn limiter_and_cost(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
    #[window_rate_limit(limit = 5, window = "1m", wait, key = lock(&self.names)[0])]
    pub async fn key(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(limit = 5, window = "1m", wait, key = (lock(&self.names)[0], lock(&self.plans)[0].max()), cost = lock(&self.limiters).len() as u32, skip_if = lock(&self.plans).is_empty(), permit = p)]
    pub async fn parts_and_cost(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
    #[window_rate_limit(window = "1h", wait, key = lock(&self.names)[0], limit_for = lock(&self.plans)[0], error = |e| e)]
    pub async fn limit_for(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(window = "1h", wait, key = *lock(&self.names), limit_for = *lock(&self.plans), cost = lock(&self.limiters).len() as u32)]
    pub async fn guards_themselves(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(limiter = self.limiter, wait, key = lock(&self.names)[0], cost = lock(&self.plans).len() as u32)]
    pub async fn shared(&self) -> Result<u32, E> { std::future::ready(()).await; Ok(1) }
    #[window_rate_limit(limit = 5, window = "1m", wait, key = lock(&self.names)[0])]
    pub fn block(&self) -> impl Future<Output = Option<u32>> + Send { async { std::future::ready(()).await; Some(1) } }
}
// What is not `Sync` may be moved in, and used by the arguments.
#[window_rate_limit(limit = 5, window = "1m", wait, key = cell.get(), cost = cell.get())]
pub async fn cell(cell: std::cell::Cell<u32>) -> Option<u32> { std::future::ready(()).await; Some(cell.get()) }
#[window_rate_limit(limit = 5, window = "1m", wait, key = key, cost = 2)]
pub async fn generic<K: std::hash::Hash + Send + Copy>(key: K) -> Option<K> { std::future::ready(()).await; Some(key) }
pub fn check(s: &'static S) {
    fn send(_: impl Future + Send + 'static) {}
    send(plain(1));
    send(run_time(1));
    send(s.limiter());
    send(s.limiter_and_cost());
    send(s.key());
    send(s.parts_and_cost());
    send(s.limit_for());
    send(s.guards_themselves());
    send(s.shared());
    send(s.block());
    send(cell(std::cell::Cell::new(1)));
    send(generic(1));
}

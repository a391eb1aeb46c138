//@ run-pass
// One limiter for several functions, one for each object, behind any kind of pointer.
use std::sync::{Arc, LazyLock};
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(2));
static LAZY: LazyLock<Limiter> = LazyLock::new(|| Limiter::new("lazy", Limit::per_minute(1)));
#[window_rate_limit(limiter = SHARED)]
fn a() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limiter = &SHARED)]
fn b() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limiter = LAZY)]
fn c() -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limiter = if first { &SHARED } else { &*LAZY })]
fn d(first: bool) -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limiter = *limiter as &Limiter)]
fn e(limiter: &&Limiter) -> Result<u32, E> { Ok(1) }
struct Object { own: Limiter, arc: Arc<Limiter>, boxed: Box<Limiter> }
impl Object {
    #[window_rate_limit(limiter = self.own)]
    fn own(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.arc)]
    async fn arc(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.boxed, fallback = 9)]
    fn boxed(self) -> u32 { 1 }
}
fn object() -> Object {
    let one = || Limiter::new("one", Limit::per_minute(1));
    Object { own: one(), arc: Arc::new(one()), boxed: Box::new(one()) }
}
fn main() {
    assert!(a().is_ok() && b().is_ok() && a().is_err() && b().is_err() && d(true).is_err());
    assert_eq!(b().unwrap_err().name(), "shared");
    assert!(c().is_ok() && c().is_err() && d(false).is_err() && e(&&SHARED).is_err());
    let (x, y) = (object(), object());
    assert!(x.own().is_ok() && x.own().is_err() && y.own().is_ok());
    drop(x.arc());
    assert_eq!((x.boxed(), y.boxed()), (1, 1));
}

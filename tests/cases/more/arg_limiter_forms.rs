//@ run-pass
// Whatever gives a limiter: an index, a call, a `match`, a dereferenced `Arc`.
use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, OnceLock},
};
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
static MAP: LazyLock<HashMap<&'static str, Limiter>> =
    LazyLock::new(|| HashMap::from([("a", Limiter::new("a", Limit::per_minute(1)))]));
static ONE: OnceLock<Limiter> = OnceLock::new();
struct S {
    l: Arc<Limiter>,
    o: Option<Limiter>,
}
trait Has {
    fn limiter(&self) -> &Limiter;
    #[window_rate_limit(limiter = self.limiter())]
    fn d(&self) -> Option<u8> {
        Some(1)
    }
    #[window_rate_limit(limiter = self.limiter(), permit = p)]
    async fn e(&self) -> Option<u8> {
        std::future::ready(()).await;
        let _ = p;
        Some(1)
    }
}
impl Has for S {
    fn limiter(&self) -> &Limiter {
        &self.l
    }
}
#[window_rate_limit(limiter = MAP[k])]
fn a(k: &str) -> Result<(), E> {
    Ok(())
}
#[window_rate_limit(limiter = ONE.get_or_init(|| Limiter::new("b", Limit::per_minute(1))))]
fn b() -> Result<(), E> {
    Ok(())
}
impl S {
    #[window_rate_limit(limiter = match &self.o { Some(l) => l, None => &self.l })]
    fn c(&self) -> Result<(), E> {
        Ok(())
    }
    #[window_rate_limit(limiter = *self.l)]
    fn d2(self: Arc<Self>) -> Result<(), E> {
        Ok(())
    }
}
fn main() {
    assert!(a("a").is_ok() && a("a").is_err());
    assert!(b().is_ok() && b().is_err());
    let s = S { l: Arc::new(Limiter::new("c", Limit::per_minute(1))), o: None };
    assert!(s.c().is_ok() && s.c().is_err() && s.d().is_none());
    drop(s.e());
    assert!(Arc::new(s).d2().is_err());
}

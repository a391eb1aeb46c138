//@ run-pass
// `error`: the value itself, a closure of any spelling; evaluated only for a refusal.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use windowlimit::window_rate_limit;
static MADE: AtomicU32 = AtomicU32::new(0);
fn busy(n: u32) -> String { MADE.fetch_add(1, Relaxed); format!("busy {n}") }
#[derive(Debug, PartialEq)] enum Fault { Name(String), Boxed }
impl std::fmt::Display for Fault { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "fault") } }
impl std::error::Error for Fault {}
#[window_rate_limit(limit = 1, window_ms = 60000, error = busy(n))]
fn value(n: u32) -> Result<u32, String> { Ok(n) }
#[window_rate_limit(limit = 1, window_ms = 60000, name = "login", error = |refusal| Fault::Name(refusal.name().to_owned()))]
fn closure() -> Result<u32, Fault> { Ok(1) }
#[window_rate_limit(limit = 1, window_ms = 60000, error = |_| Fault::Boxed.into())]
fn boxed() -> Result<u32, Box<dyn std::error::Error>> { Ok(1) }
#[window_rate_limit(limit = 1, window_ms = 60000, error = "text".into())]
fn inferred() -> Result<u32, Box<dyn std::error::Error + Send + Sync>> { Ok(1) }
#[window_rate_limit(limit = 1, window_ms = 60000, error = (n, name))]
fn moved(n: u32, name: String) -> Result<u32, (u32, String)> { drop(name); Ok(n) }
struct S(u8);
impl S {
    #[window_rate_limit(limit = 1, window_ms = 60000, error = self.0)]
    fn of_self(&self) -> Result<u32, u8> { Ok(1) }
}
fn main() {
    assert_eq!(value(1), Ok(1));
    assert_eq!(MADE.load(Relaxed), 0);
    assert_eq!(value(2), Err("busy 2".to_owned()));
    assert_eq!((closure(), closure()), (Ok(1), Err(Fault::Name("login".to_owned()))));
    assert!(boxed().is_ok()); assert_eq!(boxed().unwrap_err().to_string(), "fault");
    assert!(inferred().is_ok()); assert_eq!(inferred().unwrap_err().to_string(), "text");
    assert!(moved(1, String::new()).is_ok()); assert_eq!(moved(2, "x".into()), Err((2, "x".to_owned())));
    assert_eq!((S(7).of_self(), S(8).of_self()), (Ok(1), Err(8)));
}

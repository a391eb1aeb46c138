//@ run-pass
//@ deps: futures
// Each value of the key has a window of its own, in every kind of function.
use futures::executor::block_on;
use std::pin::Pin;
use windowlimit::{RateLimitExceeded as E, Reason, window_rate_limit};
#[window_rate_limit(limit = 2, window = "1m", key = user)]
fn plain(user: u32) -> Result<u32, E> { Ok(user) }
#[window_rate_limit(limit = 1, window_ms = 60000, key = user.to_lowercase(), error = |refusal| format!("{user}: {}", refusal.limit()))]
fn made(user: &str) -> Result<(), String> { Ok(()) }
#[window_rate_limit(limits = [(1, "1s"), (2, "1h")], key = user, fallback = 0, algorithm = segmented(10))]
fn several(user: u32) -> u32 { user }
#[window_rate_limit(limits = [(N, "1m"), (10, "1h")], key = user, name = "at run time")]
fn at_run_time(user: u32) -> Result<(), E> { Ok(()) }
const N: u32 = 1;
#[window_rate_limit(limit = 10, window = "1m", key = user, cost = n, algorithm = fixed)]
fn with_cost(user: &str, n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(limit = 10, window = "1m", key = user, cost = 6)]
fn with_literal_cost(user: &str) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 2, window = "1m", key = user, permit = permit)]
fn login(user: &str, password: &str) -> Result<(bool, u32), E> {
    let right = password == "secret";
    let left = permit.remaining();
    if right { permit.refund(); }
    Ok((right, left))
}
#[window_rate_limit(limit = 10, window = "1m", key = user, permit = p, cost = n, skip_if = user == "root")]
fn everything(user: &str, n: u32) -> Option<(u32, u32)> { Some((p.cost(), p.remaining())) }
#[window_rate_limit(limit = 1, window = "1m", key = user, skip_if = user.is_empty())]
async fn later(user: String) -> Result<String, E> { std::future::ready(()).await; Ok(user) }
#[window_rate_limit(limit = 1, window = "1m", key = user, permit = p)]
fn boxed(user: u32) -> Pin<Box<dyn Future<Output = Result<u32, E>> + Send>> { Box::pin(async move { std::future::ready(()).await; Ok(p.cost() + user) }) }
struct Service { tenant: String }
#[window_rate_limit(limit = 1, window = "1m", key = self.tenant)]
impl Service {
    #[window_rate_limit(skip)]
    fn new(tenant: &str) -> Self { Self { tenant: tenant.to_owned() } }
    fn read(&self) -> Option<&str> { Some(&self.tenant) }
    async fn write(&mut self) -> Result<(), E> { self.tenant.push('!'); Ok(()) }
    fn close(self) -> Result<String, E> { Ok(self.tenant) }
    #[window_rate_limit(limit = 1, window = "1m")]
    fn of_all(&self) -> Option<u32> { Some(1) }
}
trait Named {
    fn name(&self) -> String;
    #[window_rate_limit(limit = 1, window = "1m", key = self.name())]
    fn greet(&self) -> Option<String> { Some(self.name()) }
}
impl Named for u8 { fn name(&self) -> String { self.to_string() } }
impl Named for u16 { fn name(&self) -> String { self.to_string() } }
// Two decisions, each with keys of its own.
#[window_rate_limit(limit = 3, window = "1h", key = user, name = "user")]
#[window_rate_limit(limit = 1, window = "1m", key = (user, action), name = "action")]
fn twice(user: u32, action: &str) -> Result<(), E> { Ok(()) }
fn main() {
    for user in 0..100 { assert!(plain(user).is_ok() && plain(user).is_ok()); }
    let refusal = plain(7).unwrap_err();
    assert_eq!((refusal.reason(), refusal.limit()), (Reason::WindowFull, 2));
    assert!(refusal.retry_after().is_some() && refusal.name().ends_with("::plain"));
    assert_eq!([made("Ann"), made("bob"), made("ANN")], [Ok(()), Ok(()), Err("ANN: 1".to_owned())]);
    assert_eq!([several(1), several(2), several(1)], [1, 2, 0]);
    assert!(at_run_time(1).is_ok() && at_run_time(2).is_ok() && at_run_time(1).unwrap_err().name() == "at run time");
    assert!(with_cost("a", 8).is_ok() && with_cost("b", 8).is_ok() && with_cost("a", 3).is_err() && with_cost("a", 2).is_ok());
    assert_eq!(with_cost("c", 11).unwrap_err().reason(), Reason::NeverFits);
    assert!(with_literal_cost("a").is_some() && with_literal_cost("b").is_some() && with_literal_cost("a").is_none());
    for _ in 0..5 { assert_eq!(login("ann", "secret").ok(), Some((true, 1))); }
    assert_eq!((login("ann", "?").ok(), login("bob", "?").ok(), login("ann", "?").ok()), (Some((false, 1)), Some((false, 1)), Some((false, 0))));
    assert!(login("ann", "secret").is_err() && login("bob", "secret").is_ok());
    assert_eq!([everything("ann", 4), everything("bob", 9), everything("ann", 6), everything("ann", 1)], [Some((4, 6)), Some((9, 1)), Some((6, 0)), None]);
    assert_eq!([everything("root", 4), everything("root", 99)], [Some((0, 10)), Some((0, 10))]);
    drop(later("a".into()));
    assert!(block_on(later("a".into())).is_ok() && block_on(later("b".into())).is_ok() && block_on(later("a".into())).is_err());
    assert!(block_on(later(String::new())).is_ok() && block_on(later(String::new())).is_ok());
    assert_eq!((block_on(boxed(1)).ok(), block_on(boxed(2)).ok(), block_on(boxed(1)).ok()), (Some(2), Some(3), None));
    let (mut a, b) = (Service::new("a"), Service::new("b"));
    assert!(a.read().is_some() && b.read().is_some() && a.read().is_none() && Service::new("b").read().is_none());
    assert!(block_on(a.write()).is_ok() && block_on(a.write()).is_ok() && a.tenant == "a!!");
    assert!(a.of_all().is_some() && b.of_all().is_none());
    assert!(a.close().is_ok() && Service::new("a!!").close().is_err() && b.close().is_ok());
    assert!(1_u8.greet().is_some() && 2_u16.greet().is_some() && 1_u16.greet().is_none());
    assert!(twice(1, "read").is_ok() && twice(1, "write").is_ok() && twice(2, "read").is_ok());
    assert_eq!((twice(1, "read").unwrap_err().name(), twice(1, "read").unwrap_err().name()), ("action", "user"));
}

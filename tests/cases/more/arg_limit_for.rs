//@ run-pass
//@ deps: futures
// The limits come with the call, one or several, and nothing is moved.
use futures::executor::block_on;
use std::{sync::{Arc, Mutex}, time::Duration};
use windowlimit::{InvalidLimit, Limit, RateLimitExceeded as E, Reason, window_rate_limit};
struct Plan { one: Limit, all: Vec<Limit> }
struct User { id: u32, plan: Plan }
fn user(id: u32, calls: u32) -> User { User { id, plan: Plan { one: Limit::per_minute(calls), all: vec![Limit::per_hour(9), Limit::per_minute(calls)] } } }
#[window_rate_limit(key = user.id, limit_for = user.plan.one, window = "1m")]
fn one(user: &User) -> Result<(), E> { Ok(()) }
#[window_rate_limit(key = user.id, limit_for = user.plan.all, window_ms = 3_600_000)]
fn several(user: &User) -> Result<(), E> { Ok(()) }
#[window_rate_limit(key = user, limit_for = plan, window = "1h")]
fn by_value(user: u32, plan: Vec<Limit>) -> Option<Vec<Limit>> { Some(plan) }
#[window_rate_limit(key = user, limit_for = [*plan, Limit::per_hour(5)], window = Duration::from_secs(3600), cost = n)]
fn array(user: u32, plan: &Limit, n: u32) -> Result<u32, E> { Ok(n) }
#[window_rate_limit(key = user, limit_for = Limit::new(calls, window), window = "1h", permit = p)]
fn checked(user: u32, calls: u32, window: Duration) -> Result<(u32, u32), E> { Ok((p.remaining(), p.cost())) }
fn plans(large: bool) -> &'static [Limit] { if large { &[const { Limit::per_minute(3) }, const { Limit::per_hour(4) }] } else { &[const { Limit::per_minute(1) }] } }
#[window_rate_limit(key = user, limit_for = plans(large), window = "1h", fallback = false)]
fn slice(user: u32, large: bool) -> bool { true }
#[window_rate_limit(key = user, limit_for = (plan), window = "1h", algorithm = fixed)]
fn shared<T: std::hash::Hash>(user: T, plan: &Arc<[Limit; 5]>) -> Option<T> { Some(user) }
#[window_rate_limit(key = user, limit_for = plan, window = "1h")]
fn boxed(user: u32, plan: Box<[Limit]>) -> Option<Box<[Limit]>> { Some(plan) }
#[window_rate_limit(key = user, limit_for = if large { LARGE } else { SMALL }, window = WINDOW)]
fn conditional(user: u32, large: bool) -> Option<u32> { Some(1) }
const WINDOW: Duration = Duration::from_secs(60);
const LARGE: Limit = Limit::per_minute(2);
const SMALL: Limit = Limit::per_minute(1);
async fn plan_of(name: &str) -> Limit { std::future::ready(Limit::per_minute(name.len() as u32)).await }
#[window_rate_limit(key = name, limit_for = plan_of(&name).await, window = "1m")]
async fn later(name: String) -> Option<String> { std::future::ready(()).await; Some(name) }
fn parse(text: &str) -> Result<Limit, Fault> { text.parse().map_err(|_| Fault::Text) }
#[derive(Debug, PartialEq)] enum Fault { Text, Busy(Reason) }
impl From<E> for Fault { fn from(refusal: E) -> Self { Self::Busy(refusal.reason()) } }
#[window_rate_limit(key = user, limit_for = parse(text)?, window = "1m")]
fn question_mark(user: u32, text: &str) -> Result<(), Fault> { Ok(()) }
// The lock is free again when the cost is evaluated, in the answer and in the body.
struct Service { plans: Mutex<Vec<Limit>>, tenant: String }
#[window_rate_limit(key = self.tenant, limit_for = *self.plans.lock().unwrap(), window = "1m", cost = u32::from(self.free()), error = self.free())]
impl Service {
    fn plain(&self) -> Result<bool, bool> { Ok(self.free()) }
    async fn later(&self) -> Result<bool, bool> { let free = self.free(); std::future::ready(Ok(free)).await }
    #[window_rate_limit(skip)]
    fn free(&self) -> bool { self.plans.try_lock().is_ok() }
}
fn send<T: Send>(t: T) -> T { t }
fn invalid() -> Result<Limit, InvalidLimit> { Limit::new(5, Duration::ZERO) }
#[window_rate_limit(key = 1, limit_for = invalid(), window = "1h")]
fn never() -> Result<(), E> { Ok(()) }
#[window_rate_limit(key = 1, limit_for = LARGE, window = Duration::ZERO)]
fn no_window() -> Result<(), E> { Ok(()) }
#[window_rate_limit(key = 1, limit_for = Vec::<Limit>::new(), window = "1h")]
fn no_limit() -> Result<(), E> { Ok(()) }
#[window_rate_limit(key = 1, limit_for = Limit::per_hour(5), window = "1m", name = "long")]
fn too_long() -> Result<(), E> { Ok(()) }
fn main() {
    assert!(one(&user(1, 1)).is_ok() && one(&user(2, 2)).is_ok() && one(&user(2, 2)).is_ok());
    assert_eq!((one(&user(1, 1)).unwrap_err().limit(), one(&user(2, 2)).unwrap_err().limit()), (1, 2));
    // A larger plan takes effect at once, with the calls before; so does a smaller one.
    assert!(one(&user(1, 2)).is_ok() && one(&user(1, 2)).is_err() && one(&user(1, 3)).is_ok() && one(&user(1, 1)).is_err());
    assert!(several(&user(1, 2)).is_ok() && several(&user(1, 2)).is_ok());
    assert_eq!(several(&user(1, 2)).unwrap_err().window(), Duration::from_secs(60));
    let plan = || vec![Limit::per_minute(1)];
    assert_eq!((by_value(1, plan()), by_value(2, plan()), by_value(1, plan())), (Some(plan()), Some(plan()), None));
    assert!(array(1, &Limit::per_minute(4), 4).is_ok() && array(1, &Limit::per_minute(9), 2).is_err() && array(1, &Limit::per_minute(9), 1).is_ok());
    let minute = Duration::from_secs(60);
    assert_eq!((checked(1, 2, minute).ok(), checked(1, 2, minute).ok(), checked(1, 2, minute).ok()), (Some((1, 1)), Some((0, 1)), None));
    let refusal = checked(1, 2, Duration::ZERO).unwrap_err();
    assert!(refusal.reason() == Reason::Misconfigured && format!("{refusal:#}").contains("window of zero"), "{refusal:#}");
    assert!(slice(1, false) && !slice(1, false) && slice(1, true) && slice(2, true));
    let five = Arc::new([5, 4, 3, 2, 1].map(Limit::per_minute));
    assert!(shared("a", &five).is_some() && shared("a", &five).is_none() && shared(String::from("b"), &five).is_some());
    assert!(boxed(1, [SMALL].into()).is_some() && boxed(1, [SMALL].into()).is_none());
    assert!(conditional(1, false).is_some() && conditional(1, false).is_none() && conditional(1, true).is_some());
    for (name, fits) in [("ab", true), ("ab", true), ("ab", false), ("a", true), ("a", false)] { assert_eq!(block_on(send(later(name.into()))).is_some(), fits); }
    assert_eq!([question_mark(1, "1/m"), question_mark(1, "1/m"), question_mark(1, "x")], [Ok(()), Err(Fault::Busy(Reason::WindowFull)), Err(Fault::Text)]);
    let service = Service { plans: Mutex::new(vec![Limit::per_minute(1)]), tenant: "a".into() };
    assert_eq!((service.plain(), service.plain()), (Ok(true), Err(true)));
    assert_eq!((block_on(send(service.later())), block_on(service.later())), (Ok(true), Err(true)));
    for f in [never, no_window, no_limit, too_long] { assert_eq!(f().unwrap_err().reason(), Reason::Misconfigured); }
    assert_eq!((too_long().unwrap_err().name(), never().unwrap_err().name().ends_with("::never")), ("long", true));
}

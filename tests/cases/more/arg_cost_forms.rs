//@ run-pass
//@ deps: futures
// When a cost is evaluated, what may stand in it, and that what it holds is let go before the answer.
use futures::executor::block_on;
use std::sync::Mutex;
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
static LOG: Mutex<Vec<&str>> = Mutex::new(Vec::new());
static LIMITER: Limiter = Limiter::new("logged", Limit::per_minute(2));
fn log<T>(word: &'static str, value: T) -> T { LOG.lock().unwrap().push(word); value }
fn logged() -> Vec<&'static str> { std::mem::take(&mut *LOG.lock().unwrap()) }
// The order is that of the documentation, whatever that of the text.
#[window_rate_limit(cost = log("cost", n), limiter = log("limiter", &LIMITER), error = log("error", 7), skip_if = log("skip_if", n == 9))]
fn order(n: u32) -> Result<u32, u32> { log("body", Ok(n)) }
#[window_rate_limit(limit = 2, window = "1m", permit = p, error = log("error", 7), cost = log("cost", n), skip_if = log("skip_if", n == 9))]
fn order_of_permit(n: u32) -> Result<u32, u32> { log("body", Ok(p.cost())) }
// The lock that the cost takes is free again in the answer and in the body.
struct Shared(Mutex<Vec<u8>>);
impl Shared {
    #[window_rate_limit(limit = 4, window = "1m", cost = self.0.lock().unwrap().len() as u32, error = self.0.try_lock().map(|v| v.len()).ok())]
    fn plain(&self) -> Result<bool, Option<usize>> { Ok(self.0.try_lock().is_ok()) }
    #[window_rate_limit(limit = 4, window = "1m", cost = self.0.lock().unwrap().len() as u32, permit = _p, error = self.0.try_lock().map(|v| v.len()).ok())]
    fn with_permit(&self) -> Result<bool, Option<usize>> { Ok(self.0.try_lock().is_ok()) }
    #[window_rate_limit(limit = 4, window = "1m", cost = self.0.lock().unwrap().len() as u32, fallback = std::future::ready(false).await)]
    async fn later(&self) -> bool { let free = self.0.try_lock().is_ok(); std::future::ready(free).await }
}
fn send<T: Send>(t: T) -> T { t }
fn parse(text: &str) -> Result<u32, E> { Ok(text.parse().unwrap_or(1)) }
#[window_rate_limit(limit = 5, window = "1m", cost = parse(text)?)]
fn question_mark(text: &str) -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 5, window = "1m", cost = match o { Some(n) if n > 2 => 3, Some(n) => u32::from(n), None => return None })]
fn branches(o: Option<u8>) -> Option<u8> { o }
#[window_rate_limit(limit = 5, window = "1m", cost = if large { 3 } else { 1 })]
fn conditional(large: bool) -> Option<u8> { Some(1) }
#[window_rate_limit(limit = 5, window = "1m", cost = { let n = rows.iter().map(|n| *n as u32).sum::<u32>(); n + 1 })]
fn block(rows: Vec<u8>) -> Option<Vec<u8>> { Some(rows) }
#[window_rate_limit(limit = 5, window = "1m", cost = weigh(&name).await)]
async fn awaits(name: String) -> Option<String> { Some(name) }
async fn weigh(name: &str) -> u32 { std::future::ready(name.len() as u32).await }
#[window_rate_limit(limit = 5, window = "1m", cost = weight.into())]
fn generic<T: Into<u32> + Copy>(weight: T) -> Option<u32> { Some(weight.into()) }
#[window_rate_limit(limit = 5, window = "1m", cost = N)]
fn const_generic<const N: u32>() -> Option<u32> { Some(N) }
#[window_rate_limit(limit = 5, window = "1m", cost = u32::MAX)]
fn never_fits() -> Option<u32> { Some(1) }
macro_rules! limited {
    ($name:ident, $limit:literal, $cost:expr, $twice:expr) => {
        #[window_rate_limit(limit = $limit, window = "1m", cost = $cost * $twice)]
        fn $name() -> Option<u32> { Some(1) }
    };
}
limited!(from_macro, 6, 1 + 1, 2);
// Two decisions, each with a cost of its own.
#[window_rate_limit(limit = 5, window = "1m", cost = n, name = "first")]
#[window_rate_limit(limit = 9, window = "1m", cost = n + 1, name = "second")]
fn twice(n: u32) -> Result<u32, E> { Ok(n) }
fn main() {
    assert!(order(9).is_ok());
    assert_eq!(logged(), ["skip_if", "body"]);
    assert!(order(2).is_ok() && order(1) == Err(7));
    assert_eq!(logged(), ["skip_if", "limiter", "cost", "body", "skip_if", "limiter", "cost", "error"]);
    assert_eq!((order_of_permit(9), order_of_permit(2), order_of_permit(1)), (Ok(0), Ok(2), Err(7)));
    assert_eq!(logged(), ["skip_if", "body", "skip_if", "cost", "body", "skip_if", "cost", "error"]);
    let shared = Shared(Mutex::new(vec![1, 2, 3]));
    assert_eq!((shared.plain(), shared.plain()), (Ok(true), Err(Some(3))));
    assert_eq!((shared.with_permit(), shared.with_permit()), (Ok(true), Err(Some(3))));
    assert_eq!((block_on(send(shared.later())), block_on(send(shared.later()))), (true, false));
    assert!(question_mark("4").is_ok() && question_mark("4").is_err() && question_mark("x").is_ok());
    assert!(branches(None).is_none() && branches(Some(9)).is_some() && branches(Some(2)).is_some() && branches(Some(1)).is_none());
    assert!(conditional(true).is_some() && conditional(true).is_none() && conditional(false).is_some());
    assert!(block(vec![1, 2]).is_some() && block(vec![1]).is_none() && block(vec![]).is_some());
    assert!(block_on(awaits("four".into())).is_some() && block_on(awaits("four".into())).is_none());
    assert!(generic(3_u8).is_some() && generic(3_u16).is_none() && generic(2_u32).is_some());
    assert!(const_generic::<3>().is_some() && const_generic::<4>().is_none() && const_generic::<2>().is_some());
    assert!(never_fits().is_none());
    assert!(from_macro().is_some() && from_macro().is_none());
    assert!(twice(4).is_ok());
    assert_eq!((twice(2).unwrap_err().name(), twice(1).is_ok(), twice(0).is_ok()), ("first", true, true));
}

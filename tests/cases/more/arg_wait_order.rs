//@ run-pass
//@ deps: futures
// When what is evaluated: the longest wait and the length of the line once, at the first call that asks for them.
use futures::executor::block_on;
use std::{sync::Mutex, time::Duration};
use windowlimit::{Limit, window_rate_limit};
static LOG: Mutex<Vec<&str>> = Mutex::new(Vec::new());
fn log<T>(word: &'static str, value: T) -> T { LOG.lock().unwrap().push(word); value }
fn logged() -> Vec<&'static str> { std::mem::take(&mut *LOG.lock().unwrap()) }
#[window_rate_limit(max_waiters = log("max_waiters", 3), max_wait = log("max_wait", Duration::from_millis(1)), window = log("window", Duration::from_secs(3600)), limit = log("limit", 3), cost = log("cost", n), error = log("error", 7), skip_if = log("skip_if", n == 9))]
fn plain(n: u32) -> Result<u32, u32> { log("body", Ok(n)) }
#[window_rate_limit(max_wait_ms = log("max_wait_ms", 1), window = "1h", limit_for = log("limit_for", Limit::per_hour(3)), key = log("key", 1), cost = log("cost", n), fallback = log("fallback", None), skip_if = log("skip_if", n == 9), permit = p)]
async fn keyed(n: u32) -> Option<u32> { log("body", Some(p.cost())) }
fn main() {
    assert_eq!((plain(9), logged()), (Ok(9), vec!["skip_if", "body"]));
    assert_eq!(plain(2), Ok(2));
    let mut first = logged();
    assert_eq!((first.remove(0), first.remove(0), first.pop()), ("skip_if", "cost", Some("body")));
    first.sort();
    assert_eq!(first, ["limit", "max_wait", "max_waiters", "window"]);
    assert_eq!((plain(1), logged()), (Ok(1), vec!["skip_if", "cost", "body"]));
    assert_eq!((plain(1), logged()), (Err(7), vec!["skip_if", "cost", "error"]));
    assert_eq!((block_on(keyed(9)), logged()), (Some(0), vec!["skip_if", "body"]));
    assert_eq!((block_on(keyed(2)), logged()), (Some(2), vec!["skip_if", "key", "limit_for", "cost", "max_wait_ms", "body"]));
    assert_eq!((block_on(keyed(2)), logged()), (None, vec!["skip_if", "key", "limit_for", "cost", "fallback"]));
    drop(keyed(1));
    assert!(logged().is_empty());
}

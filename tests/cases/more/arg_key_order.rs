//@ run-pass
// When the key and the limits of a call are evaluated: in the order of the documentation, and not if it is skipped.
use std::sync::Mutex;
use windowlimit::{KeyedLimiter, Limit, window_rate_limit};
static LOG: Mutex<Vec<&str>> = Mutex::new(Vec::new());
static SHARED: KeyedLimiter = KeyedLimiter::new("shared", Limit::per_minute(2));
fn log<T>(word: &'static str, value: T) -> T { LOG.lock().unwrap().push(word); value }
fn logged() -> Vec<&'static str> { std::mem::take(&mut *LOG.lock().unwrap()) }
const LIMIT: Limit = Limit::per_minute(2);
#[window_rate_limit(cost = log("cost", n), error = log("error", 7), limit_for = log("limit_for", LIMIT), window = log("window", std::time::Duration::from_secs(60)), key = log("key", 1), skip_if = log("skip_if", n == 9), max_keys = log("max_keys", 5))]
fn all(n: u32) -> Result<u32, u32> { log("body", Ok(n)) }
#[window_rate_limit(cost = log("cost", n), permit = p, error = log("error", 7), limit_for = [log("limit_for", LIMIT)], window = "1m", key = (log("key", 1), log("part", 2)), skip_if = log("skip_if", n == 9))]
fn all_with_permit(n: u32) -> Result<u32, u32> { log("body", Ok(p.cost())) }
#[window_rate_limit(key = log("key", 1), limiter = log("limiter", &SHARED), cost = log("cost", n), error = log("error", 7), skip_if = log("skip_if", n == 9))]
fn shared(n: u32) -> Result<u32, u32> { log("body", Ok(n)) }
#[window_rate_limit(limit = log("limit", 1), window = "1m", key = log("key", 1), error = log("error", 7))]
fn of_key_only() -> Result<u32, u32> { log("body", Ok(1)) }
fn main() {
    assert!(all(9).is_ok());
    assert_eq!(logged(), ["skip_if", "body"]);
    assert!(all(2).is_ok() && all(1) == Err(7));
    assert_eq!(logged(), ["skip_if", "key", "limit_for", "cost", "window", "max_keys", "body", "skip_if", "key", "limit_for", "cost", "error"]);
    assert_eq!((all_with_permit(9), all_with_permit(2), all_with_permit(1)), (Ok(0), Ok(2), Err(7)));
    assert_eq!(logged(), ["skip_if", "body", "skip_if", "key", "part", "limit_for", "cost", "body", "skip_if", "key", "part", "limit_for", "cost", "error"]);
    assert!(shared(9).is_ok() && shared(2).is_ok() && shared(1) == Err(7));
    assert_eq!(logged(), ["skip_if", "body", "skip_if", "limiter", "key", "cost", "body", "skip_if", "limiter", "key", "cost", "error"]);
    assert!(of_key_only().is_ok() && of_key_only().is_err());
    let words = logged();
    assert_eq!(words.iter().filter(|word| **word == "limit").count(), 1);
    assert_eq!(words.iter().filter(|word| **word != "limit").collect::<Vec<_>>(), [&"key", &"body", &"key", &"error"]);
}

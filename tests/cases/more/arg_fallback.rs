//@ run-pass
//@ deps: futures
// F107: `fallback` for any return type; the body or the fallback runs, never both.
use futures::executor::block_on;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use windowlimit::window_rate_limit;
static BODY: AtomicU32 = AtomicU32::new(0);
static OTHER: AtomicU32 = AtomicU32::new(0);
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = { OTHER.fetch_add(1, Relaxed); 0 })]
fn number(n: u32) -> u32 { BODY.fetch_add(1, Relaxed); n }
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = ())]
fn nothing() { BODY.fetch_add(1, Relaxed); }
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = |refusal| refusal.limit() + n)]
fn closure(n: u32) -> u32 { n }
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = cached(key).await)]
async fn awaits(key: &str) -> String { key.to_uppercase() }
async fn cached(key: &str) -> String { std::future::ready(()).await; format!("cached {key}") }
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = list)]
fn same(list: Vec<u32>) -> Vec<u32> { list.into_iter().rev().collect() }
#[window_rate_limit(limit = 1, window_ms = 60000, fallback = vec![1, 2].into_iter())]
fn hidden() -> impl Iterator<Item = u32> { vec![3].into_iter() }
fn main() {
    assert_eq!((number(5), number(6)), (5, 0));
    assert_eq!((BODY.load(Relaxed), OTHER.load(Relaxed)), (1, 1));
    nothing(); nothing();
    assert_eq!(BODY.load(Relaxed), 2);
    assert_eq!((closure(10), closure(20)), (10, 21));
    assert_eq!((block_on(awaits("a")), block_on(awaits("b"))), ("A".into(), "cached b".into()));
    assert_eq!((same(vec![1, 2]), same(vec![1, 2])), (vec![2, 1], vec![1, 2]));
    assert_eq!((hidden().count(), hidden().count()), (1, 2));
}

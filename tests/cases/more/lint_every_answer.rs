//@ clippy-clean
// What `error`, `fallback`, `limiter` and `skip_if` are made into is nobody's code.
#![deny(unused, clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(missing_docs, clippy::missing_errors_doc, clippy::must_use_candidate, clippy::option_if_let_else)]
use windowlimit::{Limit, Limiter, RateLimitExceeded, window_rate_limit};
static A: Limiter = Limiter::new("a", Limit::per_minute(5));
static B: Limiter = Limiter::new("b", Limit::per_minute(5));
#[window_rate_limit(limiter = if n > 5 { &A } else { &B }, error = ())]
fn a(n: u32) -> Result<u32, ()> { Ok(n) }
#[window_rate_limit(limiter = &A, fallback = ())]
pub fn b(list: &mut Vec<u32>) { list.push(u32::from(a(1).is_ok())); }
#[window_rate_limit(limiter = A, fallback = drop(list))]
pub fn c(mut list: Vec<u32>) { list.push(1); println!("{list:?}"); }
#[window_rate_limit(limit = 5, window = "1m", skip_if = n == 0 || n > 9, fallback = (n, n))]
pub fn d(n: u32) -> (u32, u32) { (n, n.wrapping_add(1)) }
#[window_rate_limit(limit = 5, window = "1m", skip_if = n == 0, permit = p, fallback = |e| { println!(); Err(e) })]
pub async fn e(n: u32) -> Result<u32, RateLimitExceeded> { std::future::ready(()).await; Ok(n.wrapping_add(p.remaining())) }
#[window_rate_limit(limiter = A, skip_if = true, permit = p, error = 1.5)]
pub fn f() -> Result<u32, f64> { Ok(p.remaining()) }
#[window_rate_limit(limit = 5, window = "1m", error = |e: RateLimitExceeded| e.limit())]
pub fn g() -> Result<(), u32> { println!(); Ok(()) }

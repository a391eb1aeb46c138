//@ run-pass
// Several limits: literals, a mixture, and expressions that give a list.
use std::time::Duration;
use windowlimit::{Limit, window_rate_limit};
const CALLS: u32 = 2;
#[window_rate_limit(limits = [(2, "1m"), (3, "1h"),])]
fn a() -> Option<u32> { Some(1) }
#[window_rate_limit(limits = [(9, "1m"), (CALLS, Duration::from_secs(3600)), Limit::per_hour(5)])]
fn b() -> Option<u32> { Some(1) }
#[window_rate_limit(limits = [Limit::per_minute(2), Limit::per_hour(3)])]
fn c() -> Option<u32> { Some(1) }
#[window_rate_limit(limits = vec![Limit::per_minute(2)])]
fn d() -> Option<u32> { Some(1) }
#[window_rate_limit(limits = &[(2, Duration::from_secs(60))])]
fn e() -> Option<u32> { Some(1) }
#[window_rate_limit(limits = [Limit::per_minute(2); 2])]
fn f() -> Option<u32> { Some(1) }
fn main() {
    for f in [a, b, c, d, e, f] { assert!(f().is_some() && f().is_some() && f().is_none()); }
}

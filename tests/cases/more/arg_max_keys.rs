//@ run-pass
// So many keys are held at once: one more is refused, for a reason of its own, and those that are held go on.
use std::cell::Cell;
use windowlimit::{Limit, RateLimitExceeded as E, Reason, window_rate_limit};
#[window_rate_limit(limit = 2, window = "1m", key = user, max_keys = 3)]
fn literal(user: u32) -> Result<(), E> { Ok(()) }
#[window_rate_limit(limits = [(2, "1m"), (4, "1h")], key = user, max_keys = KEYS + 1, permit = p)]
fn expression(user: u32) -> Result<u32, E> { Ok(p.remaining()) }
const KEYS: usize = 2;
#[window_rate_limit(window = "1h", limit_for = Limit::per_minute(2), key = user, max_keys = 3usize)]
fn with_limit_for(user: u32) -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 2, window = "1m", key = user, max_keys = none(), algorithm = segmented(10))]
fn none_at_run_time(user: u32) -> Result<(), E> { Ok(()) }
fn none() -> usize { 0 }
fn main() {
    let expression = |user| expression(user).map(drop);
    let calls = Cell::new(0);
    let counted = |user| { calls.set(calls.get() + 1); literal(user) };
    for f in [&counted as &dyn Fn(u32) -> Result<(), E>, &expression, &with_limit_for] {
        for user in [1, 2, 3] { assert!(f(user).is_ok()); }
        for user in 4..100 {
            let refusal = f(user).unwrap_err();
            assert!(refusal.reason() != Reason::WindowFull && refusal.reason() != Reason::Misconfigured);
        }
        // Nobody gains a call by coming with many keys.
        for user in [1, 2, 3] { assert!(f(user).is_ok()); }
        for user in [1, 2, 3] { assert_eq!(f(user).unwrap_err().reason(), Reason::WindowFull); }
    }
    assert_eq!(calls.get(), 105);
    assert!(none_at_run_time(1).is_err());
}

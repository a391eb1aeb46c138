//@ check-pass
// The braces of the body are the user's, so that this is valid in 2024, as it is without the attribute.
use std::cell::RefCell;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f() -> Result<usize, E> { let c = RefCell::new(vec![1]); match c.borrow().len() { n => Ok(n) } }

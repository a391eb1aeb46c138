//@ run-pass
// The item arrives in an invisible group, with a type and an expression in more of them.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
macro_rules! outer { ($($i:item)*) => { $(#[window_rate_limit(limit = 1, window_ms = 60000)] $i)* } }
macro_rules! inner { ($t:ty, $e:expr) => { outer! {
    pub fn f() -> Result<$t, E> { Ok($e * 2) }
    pub async fn g() -> Result<$t, E> { Ok($e * 2) }
} } }
inner!(u32, 1 + 2);
fn main() { assert_eq!(f().ok(), Some(6)); assert!(f().is_err()); drop(g()); }

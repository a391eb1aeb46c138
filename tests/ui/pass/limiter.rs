use std::sync::Arc;

use windowlimit::{Limit, Limiter, window_rate_limit};

static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(5));

#[window_rate_limit(limiter = SHARED)]
fn shared() -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limiter = limiter, permit = permit)]
fn parameter(limiter: &Arc<Limiter>) -> Option<u32> {
    Some(permit.remaining())
}

fn main() {
    assert!(shared().is_some());
    assert_eq!(parameter(&Arc::new(Limiter::new("own", Limit::per_minute(5)))), Some(4));
}

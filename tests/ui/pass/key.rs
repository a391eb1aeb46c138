use std::sync::Arc;

use windowlimit::{KeyedLimiter, Limit, window_rate_limit};

static SHARED: KeyedLimiter = KeyedLimiter::new("shared", Limit::per_minute(1));

struct Visitor {
    id: u32,
    name: String,
    height: f64,
}

#[window_rate_limit(limit = 1, window = "1m", key = visitor.id, max_keys = 100)]
fn field(visitor: &Visitor) -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limit = 1, window = "1m", key = (visitor.name, (1, visitor.height.to_bits())))]
fn tuple(visitor: &Visitor) -> Option<u32> {
    Some(1)
}

#[window_rate_limit(window = "1h", key = user, limit_for = [Limit::per_minute(2), limit])]
fn limits(user: &str, limit: Limit) -> Option<u32> {
    Some(1)
}

#[window_rate_limit(limiter = SHARED, key = user)]
fn shared(user: u32) -> Option<u32> {
    Some(user)
}

#[window_rate_limit(limiter = limiter, key = user, permit = permit)]
fn parameter(limiter: &Arc<KeyedLimiter>, user: u32) -> Option<u32> {
    Some(permit.remaining())
}

fn main() {
    let visitor = |id| Visitor { id, name: String::from("visitor"), height: 1.0 };
    assert!(field(&visitor(1)).is_some() && field(&visitor(2)).is_some() && field(&visitor(1)).is_none());
    assert!(tuple(&visitor(1)).is_some() && tuple(&visitor(2)).is_none());
    let limit = Limit::per_hour(1);
    assert!(limits("a", limit).is_some() && limits("b", limit).is_some() && limits("a", limit).is_none());
    assert!(shared(1).is_some() && shared(2).is_some() && shared(1).is_none());
    assert_eq!(parameter(&Arc::new(KeyedLimiter::new("own", Limit::per_minute(5))), 1), Some(4));
}

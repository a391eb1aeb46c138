use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000)]
struct S;

fn main() {}

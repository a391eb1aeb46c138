use windowlimit::window_rate_limit;

struct S;

#[window_rate_limit(limit = 5, window_ms = 60000)]
impl S {
    const CALLS: u32 = 5;
}

fn main() {}

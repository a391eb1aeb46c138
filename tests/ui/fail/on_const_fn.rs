use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000)]
const fn f() -> Option<u32> {
    Some(1)
}

fn main() {}

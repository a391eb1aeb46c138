use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000, fallback = "busy")]
fn f() -> u32 {
    1
}

fn main() {}

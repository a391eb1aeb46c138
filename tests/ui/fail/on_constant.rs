use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000)]
const N: u32 = 5;

fn main() {}

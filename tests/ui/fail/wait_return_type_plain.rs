use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window = "1m", max_wait = "2s")]
async fn f() -> u32 {
    1
}

fn main() {}

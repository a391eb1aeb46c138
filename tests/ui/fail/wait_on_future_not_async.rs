use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window = "1m", wait)]
fn f() -> impl Future<Output = Option<u32>> {
    std::future::ready(Some(1))
}

fn main() {}

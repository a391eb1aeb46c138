use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000)]
fn f() -> impl Future<Output = Option<u32>> {
    let n = 1;
    std::future::ready(Some(n))
}

fn main() {}

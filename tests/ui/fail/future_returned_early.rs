use std::pin::Pin;

use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000)]
fn f(n: u32) -> Pin<Box<dyn Future<Output = Option<u32>>>> {
    if n == 0 {
        return Box::pin(std::future::ready(None));
    }
    Box::pin(async move { Some(n) })
}

fn main() {}

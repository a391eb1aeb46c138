use std::pin::Pin;

use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000)]
fn f() -> Pin<Box<dyn Future<Output = Result<u32, String>>>> {
    Box::pin(async { Ok(1) })
}

fn main() {}

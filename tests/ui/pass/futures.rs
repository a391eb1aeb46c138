use std::pin::Pin;

use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window = "1m")]
fn hidden(n: u32) -> impl Future<Output = Option<u32>> {
    let n = n + 1;
    async move { Some(n) }
}

#[window_rate_limit(limit = 5, window = "1m")]
fn boxed(n: u32) -> Pin<Box<dyn Future<Output = Option<u32>>>> {
    // These return from something else than the function.
    let twice = |n: u32| -> u32 { return n * 2 };
    fn thrice(n: u32) -> u32 {
        return n * 3;
    }
    Box::pin(async move {
        if n == 0 {
            return None;
        }
        Some(twice(thrice(n)))
    })
}

fn main() {
    drop((hidden(1), boxed(1)));
}

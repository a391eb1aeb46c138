use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000, fallback = println!("too often"))]
fn f() -> ! {
    loop {}
}

fn main() {}

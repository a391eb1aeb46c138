use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000, error = |a, b| "busy")]
fn f() -> Result<u32, &'static str> {
    Ok(1)
}

fn main() {}

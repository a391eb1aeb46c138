use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window_ms = 60000, error = 5)]
fn f() -> Result<u32, String> {
    Ok(1)
}

fn main() {}

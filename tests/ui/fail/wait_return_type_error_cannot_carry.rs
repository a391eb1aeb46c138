use windowlimit::window_rate_limit;

#[window_rate_limit(limit = 5, window = "1m", wait)]
fn f() -> Result<u32, String> {
    Ok(1)
}

fn main() {}

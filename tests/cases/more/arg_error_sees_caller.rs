//@ run-pass
// `#[track_caller]` reaches the argument and the body.
#[track_caller]
#[windowlimit::window_rate_limit(limit = 1, window_ms = 60000, error = std::panic::Location::caller().line())]
fn f() -> Result<u32, u32> {
    Ok(std::panic::Location::caller().line())
}
fn main() {
    assert_eq!(f(), Ok(line!()));
    assert_eq!(f(), Err(line!()));
}

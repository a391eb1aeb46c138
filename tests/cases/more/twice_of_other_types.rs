//@ run-pass
// Each attribute gives its own answer.
#[windowlimit::window_rate_limit(limit = 2, window = "1h", fallback = 7)]
#[windowlimit::window_rate_limit(limit = 1, window = "1m", fallback = |e| e.limit() + 10)]
#[windowlimit::window_rate_limit(limit = 9, window = "1m", fallback = std::process::exit(3))]
fn f() -> u32 {
    1
}
#[windowlimit::window_rate_limit(limit = 2, window = "1h", fallback = 7)]
#[windowlimit::window_rate_limit(limit = 1, window = "1m", fallback = 8)]
fn g() -> impl Future<Output = u32> {
    async { 1 }
}
fn main() {
    assert_eq!((f(), f(), f()), (1, 11, 7));
    let mut w = std::task::Context::from_waker(std::task::Waker::noop());
    let mut r = || match Box::pin(g()).as_mut().poll(&mut w) {
        std::task::Poll::Ready(x) => x,
        _ => 0,
    };
    assert_eq!((r(), r(), r()), (1, 8, 7));
}

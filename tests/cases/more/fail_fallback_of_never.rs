//@ fail: E0004 | E0308 | ! ; n=1 ; at=make()
// A fallback that comes back is refused by the compiler where the function must not.
fn make() {}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = make())]
pub fn f() -> ! {
    loop {}
}

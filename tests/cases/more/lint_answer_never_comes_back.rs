//@ clippy-clean
// An answer that panics or exits is neither unreachable code nor a diverging sub-expression.
#![deny(unreachable_code, clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::missing_panics_doc, clippy::must_use_candidate, clippy::missing_errors_doc)]
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = panic!("too often"))]
pub fn f() -> u32 {
    1
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = std::process::exit(1))]
pub fn g() {
    println!();
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = |e| panic!("{e}"))]
pub fn h() -> u32 {
    1
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = std::process::abort())]
pub fn i() -> ! {
    loop {
        std::thread::yield_now();
    }
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = |e| panic!("{e}"))]
pub fn k() -> ! {
    loop {
        std::thread::yield_now();
    }
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = panic!("too often"))]
pub async fn j() -> u32 {
    std::future::ready(1).await
}
#[window_rate_limit(limit = 5, window_ms = 60000, error = unreachable!())]
pub fn l() -> Result<u32, String> {
    Ok(1)
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = { std::future::ready(1).await; 2 })]
pub async fn m() -> u32 {
    std::future::ready(1).await
}
#[window_rate_limit(limit = 5, window_ms = 60000, permit = p, fallback = Box::new(2))]
pub fn n() -> Box<dyn std::any::Any> {
    Box::new(p.remaining())
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = vec![1])]
pub fn o() -> Vec<u8> {
    vec![]
}
#[window_rate_limit(limit = 5, window_ms = 60000, fallback = "a".to_string())]
pub fn p() -> impl std::fmt::Display {
    String::new()
}

//@ check-pass
// Types that are called like the primitive ones.
#![allow(non_camel_case_types, dead_code)]
struct bool;
struct u32;
struct u64;
struct str;
struct usize;
#[windowlimit::window_rate_limit(limit = 2, window_ms = 60000, skip_if = 1 == 2, permit = left)]
pub fn f() -> Option<()> {
    let _ = left;
    None
}
#[windowlimit::window_rate_limit(limit = 2, window_ms = 60000, skip_if = true, fallback = Default::default())]
pub fn g() {}
#[windowlimit::window_rate_limit(limit = 2, window_ms = 60000, cost = 1 + 1, algorithm = segmented(10))]
pub fn h() -> Option<()> {
    None
}

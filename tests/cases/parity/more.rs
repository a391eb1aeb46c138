//@ clippy-clean
//! More functions for the lints to find fault with.
#![warn(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, unused, future_incompatible, let_underscore, nonstandard_style, rust_2018_idioms, keyword_idents, refining_impl_trait, missing_docs, single_use_lifetimes, trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_pub, unused_lifetimes, unused_qualifications, variant_size_differences, unused_results, unused_import_braces, explicit_outlives_requirements, macro_use_extern_crate, meta_variable_misuse, elided_lifetimes_in_paths, unnameable_types, redundant_imports, redundant_lifetimes, ambiguous_negative_literals, closure_returning_async_block, impl_trait_redundant_captures, non_ascii_idents, unused_crate_dependencies, unused_macro_rules, deprecated)]
#![warn(rust_2021_compatibility, rust_2024_compatibility)]
#![allow(clippy::blanket_clippy_restriction_lints)]
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::result;
use std::sync::Mutex;
use windowlimit::RateLimitExceeded;

pub struct Holder<'x>(&'x str);

#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn elided_path(s: &str) -> Result<Holder, RateLimitExceeded> {
    Ok(Holder(s))
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn needless<'a>(s: &'a str) -> Result<&'a str, RateLimitExceeded> {
    Ok(s)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn single<'a>() -> Result<Holder<'a>, RateLimitExceeded> {
    Ok(Holder(""))
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn qualified() -> std::result::Result<u32, windowlimit::RateLimitExceeded> {
    std::result::Result::Ok(1)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn qualified_module() -> result::Result<Option<Option<u32>>, RateLimitExceeded> {
    let x = Ok(None);
    x
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn parenthesised() -> (Option<u32>) {
    (Some(1))
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn manual() -> impl Future<Output = Option<u32>> {
    async move { Some(1) }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn manual_captured(x: u32) -> impl Future<Output = Option<u32>> + Send + 'static {
    async move { let y = x; return Some(y); }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub async fn unused_async(x: u32) -> Option<u32> {
    Some(x)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = ())]
pub fn unit_tail(v: &mut Vec<u32>) {
    v.push(1)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = ())]
pub fn macro_tail(v: &Vec<u32>) {
    println!("{:?}", v)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = ())]
pub fn explicit_unit(v: &mut Vec<u32>) -> () {
    v.push(1);
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = ())]
pub fn else_formatting(v: bool) {
    if v {
        print!("a");
    } if !v {
        print!("b");
    }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn locked(m: &Mutex<u32>, c: &RefCell<u32>) -> Option<u32> {
    let _ = m.lock();
    let guard = m.lock().expect("x");
    if *guard == 1_u32 { return None; }
    let n = *guard;
    match *c.borrow() { 0 => None, _ => Some(n) }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn dead_stores(mut a: u32, b: u32) -> Option<u32> {
    a = 3;
    let mut z = 1_u32;
    let c = b.clone();
    if c > 1 { return Some(c) }
    Some(4)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn nested_items(n: u32) -> Option<u32> {
    let _ = n;
    fn helper() -> u32 { 1 }
    static S: u32 = 1;
    use std::cmp::min;
    'l: loop { break 'l; }
    {
        { Some(min(helper(), S)) }
    }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn unreachable_after(n: u32) -> Option<u32> {
    return Some(n);
    Some(n + 1)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn recursive(n: u32, unused_but_passed: u32) -> Option<u32> {
    if n == 0 { None } else { recursive(n - 1, unused_but_passed) }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn by_value(s: String, v: &Vec<u8>, b: Box<u8>, o: &Option<String>) -> Option<usize> {
    Some(s.len() + v.len() + usize::from(*b) + o.as_ref().map_or(0, |x| x.len()))
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn generic<T: Clone, U>(t: &T, u: U) -> Option<T> where T: Send {
    drop(u);
    Some(t.clone())
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn unsafe_body(p: *const u8) -> Option<u8> {
    Some(unsafe { *p })
}
#[deprecated]
pub struct Old;
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn old() -> Option<Old> { None }
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
/// Docs without sections.
pub fn documented(n: u32) -> Result<u32, RateLimitExceeded> {
    if n == 3 { panic!("3") }
    Ok(n.checked_sub(1).unwrap())
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn pinned<'a>(s: &'a str) -> Pin<Box<dyn Future<Output = Option<&'a str>> + 'a>> {
    Box::pin(async move { Some(s) })
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn let_else(o: Option<u32>) -> Option<u32> {
    let n = match o { Some(n) => n, None => return None };
    let Some(m) = o else { return None; };
    if o.is_none() { return None }
    Some(n + m)
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
#[inline(always)]
#[must_use]
pub fn inline_must_use() -> Option<u32> { Some(1) }
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub extern "C" fn exported(s: &str) -> Option<u8> { s.bytes().next() }

#[derive(Debug)]
pub struct Me { n: u32 }
impl Me {
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub fn make() -> Result<Me, RateLimitExceeded> { Ok(Me { n: 1 }) }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    fn unused_self(&self) -> Result<u32, RateLimitExceeded> { Ok(1) }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub fn to_owned_self(self: &Self) -> Option<u32> { Some(self.n) }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub fn into_ref(&mut self) -> Option<&u32> { Some(&self.n) }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub fn is_it(self) -> Option<bool> { Some(self.n == 1) }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub fn next(&mut self) -> Option<u32> { self.n += 1; Some(self.n) }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub fn call_unused(&self) -> Result<u32, RateLimitExceeded> { self.unused_self() }
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    pub async fn held(&self, m: &Mutex<u32>) -> Option<u32> { let g = m.lock().ok()?; std::future::ready(()).await; Some(*g) }
}
pub trait Tr<'a> {
    type Out;
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    fn d(&'a self) -> Option<Self::Out> { None }
    fn e<'b>(&'b self) -> Result<&'b u32, RateLimitExceeded>;
}
impl<'a> Tr<'a> for Me {
    type Out = &'a u32;
    #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
    fn e<'b>(&'b self) -> Result<&'b u32, RateLimitExceeded> { Ok(&self.n) }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
impl<'a> Holder<'a> {
    pub fn get(&self) -> Result<&'a str, RateLimitExceeded> { return Ok(self.0); }
    pub fn get2<'b>(&'b self) -> Option<&'b &'a str> { Some(&self.0) }
}

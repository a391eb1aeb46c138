//@ clippy-clean
//! Functions for the lints to find fault with.

#![warn(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction,
    unused,
    future_incompatible,
    let_underscore,
    nonstandard_style,
    rust_2018_idioms,
    keyword_idents,
    refining_impl_trait,
    missing_docs,
    single_use_lifetimes,
    trivial_casts,
    unit_bindings,
    unreachable_pub,
    unused_lifetimes,
    unused_qualifications,
    variant_size_differences
)]
#![allow(clippy::blanket_clippy_restriction_lints)]

use std::future::Future;
use std::pin::Pin;
use windowlimit::RateLimitExceeded;

const CALLS: u32 = 5;
const MINUTE: std::time::Duration = std::time::Duration::new(60, 0);

pub fn uses_constants() -> (u32, std::time::Duration) {
    (CALLS, MINUTE)
}

#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
fn never_called() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[windowlimit::window_rate_limit(limit = CALLS, window = "1m")]
pub fn items_and_returns(x: i32, _y: u8) -> Result<i32, RateLimitExceeded> {
    use std::cmp::max;
    const FLOOR: i32 = 3;
    if x > FLOOR {
        return Ok(max(x, FLOOR));
    } else {
        println!("{}", x);
    }
    let x = x as u32 as i32;
    return Ok(x + 1);
}

#[windowlimit::window_rate_limit(limits = [(5, "1m"), (CALLS, "1h")])]
pub fn question_marks(text: &str) -> Result<Vec<u32>, std::boxed::Box<dyn std::error::Error>> {
    let mut list = Vec::new();
    for part in text.split(",") {
        list.push(part.parse::<u32>()?);
    }
    let first = list.get(0).unwrap();
    let _unused = list[0] / first;
    assert!(list.len() > 0);
    Ok(list)
}

#[windowlimit::window_rate_limit(limits = [(5, "1m"), (50, "1h")], name = "one_liner")]
pub fn one_liner(a: u8, b: u8) -> Option<u8> { Some(a + b) }

#[windowlimit::window_rate_limit(limit = 5, window = MINUTE, fallback = ())]
pub fn unit_function(list: &mut Vec<u32>) {
    list.push(1);
    ()
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m", fallback = n)]
pub fn number(n: usize) -> usize {
    match n {
        0 => 1,
        _ => n * 100000,
    }
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m", skip_if = n > CALLS, permit = _left)]
pub async fn waits(n: u32) -> Result<u32, RateLimitExceeded> {
    let guard = std::sync::Mutex::new(n);
    let locked = guard.lock().unwrap();
    std::future::ready(()).await;
    let left = 1;
    Ok(*locked + left)
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m")]
pub async fn no_await() -> Result<std::future::Ready<u32>, RateLimitExceeded> {
    Ok(std::future::ready(1))
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m")]
pub fn boxed<'a>(s: &'a str) -> Pin<Box<dyn Future<Output = Option<usize>> + Send + 'a>> {
    let n = s.len();
    Box::pin(async move {
        if n == 0 {
            return None;
        };
        Some(n)
    })
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m")]
pub fn diverges() -> Result<core::convert::Infallible, RateLimitExceeded> {
    loop {
        std::thread::yield_now();
    }
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m")]
pub fn panics(n: u32) -> Option<u32> {
    if n > 1 {
        unreachable!();
    }
    todo!("later");
}

#[windowlimit::window_rate_limit(limit = 5, window = "1m", error = String::new())]
pub(crate) unsafe fn dangerous(p: *const u32) -> Result<u32, String> {
    let value = unsafe { *p };
    Ok(value)
}

pub struct Service {
    pub limiter: windowlimit::Limiter,
}

impl Service {
    #[windowlimit::window_rate_limit(limiter = self.limiter)]
    pub fn get(&self) -> Result<&windowlimit::Limiter, RateLimitExceeded> {
        Ok(&self.limiter)
    }

    #[windowlimit::window_rate_limit(limiter = self.limiter, error = 1.5)]
    fn private(self: &Box<Self>, ref s: String) -> Result<Box<Vec<u8>>, f64> {
        let s = s.clone() + self.limiter.name();
        Ok(Box::new(s.into_bytes()))
    }

    #[windowlimit::window_rate_limit(limit = 5, window = "1m")]
    pub fn hidden(&self) -> Option<impl Iterator<Item = u8> + '_> {
        Some(self.limiter.name().bytes())
    }
}

pub struct Block;

#[windowlimit::window_rate_limit(limit = 5, window = "1m")]
impl Block {
    pub fn one(&self, r: Result<u32, std::fmt::Error>) -> Result<u32, RateLimitExceeded> {
        match r {
            Ok(v) => Ok(v),
            Err(_) => return Ok(0),
        }
    }

    fn unused(&self) -> Option<String> {
        let text = "a".to_string();
        let _ = self;
        Some(text)
    }

    #[windowlimit::window_rate_limit(skip)]
    fn skipped(&self) -> u64 {
        0xffff_ffffu64
    }
}

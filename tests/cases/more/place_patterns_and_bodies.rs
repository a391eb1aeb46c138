//@ check-pass
// Patterns in parameters, aliases of futures, functions in odd places, bodies with every way out.
#![allow(dead_code)]
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
macro_rules! pat {
    () => {
        (_, _)
    };
}
#[window_rate_limit(limit = 5, window_ms = 60000, skip_if = a == 1 || !b.is_empty() || c > 2 || !d)]
fn a(
    pat!(): (u8, u8),
    [a, b @ .., _]: [u8; 4],
    (Ok(c) | Err(c), ..): (Result<u8, u8>, u8),
    r#type @ (x, _): &(u8, u8),
    #[allow(unused)] d: bool,
) -> Option<u8> {
    Some(a + b[0] + c + x + r#type.1)
}
type Res<T> = Result<T, E>;
type Fut<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + 'a>>;
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn b(s: &str) -> Fut<'_, Res<&str>> {
    Box::pin(async move { Ok(s) })
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn c<'a>(s: &'a str) -> Fut<'a, Res<&'a str>> {
    let f = async move { Ok(s) };
    Box::pin(f)
}
const _: () = {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn c() -> Res<u8> {
        Ok(1)
    }
};
fn nested() -> impl Fn() -> Res<u8> {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn c() -> Res<u8> {
        mod x {
            #[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
            pub fn y() -> Option<u8> {
                None
            }
        }
        Ok(x::y().unwrap_or(2))
    }
    c
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
#[target_feature(enable = "sse2")]
#[cfg(target_arch = "x86_64")]
fn d() -> Res<u8> {
    Ok(1)
}
#[window_rate_limit(limit = 5, window_ms = 60000)]
fn e(x: Option<u8>) -> Res<u8> {
    let Some(y) = x else { return Ok(0) };
    let z = 'l: {
        if y > 1 {
            break 'l 3;
        }
        4
    };
    let f = || -> Option<u8> {
        let q = x?;
        return Some(q + 1);
    };
    let t: Result<u8, std::num::ParseIntError> = (|| {
        let n = "1".parse::<u8>()?;
        Ok(n)
    })();
    Ok(z + f().unwrap_or(1) + t.unwrap_or(2))
}

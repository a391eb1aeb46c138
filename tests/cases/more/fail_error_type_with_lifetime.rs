//@ fail: From & RateLimitExceeded & error = ; n=1 ; at=Result<&'a str, &'a str>
// The whole type is underlined, although its lifetimes are left to inference.
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f<'a>(x: &'a str) -> Result<&'a str, &'a str> {
    Ok(x)
}

//@ run-pass
// Raw and non-ASCII identifiers; the names of limiters are without `r#`.
#![allow(non_snake_case, uncommon_codepoints)]
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
mod r#mod {
    use super::*;
    #[window_rate_limit(limit = 1, window = "1m", skip_if = r#type == 7)]
    pub(super) fn r#match(r#type: u8) -> Result<u8, E> {
        Ok(r#type)
    }
}
#[window_rate_limit(limit = 1, window = "1m")]
fn größe() -> Result<u8, E> {
    Ok(1)
}
struct r#Struct;
#[window_rate_limit(limit = 1, window = "1m")]
impl r#Struct {
    fn r#fn(&self) -> Result<u8, E> {
        Ok(1)
    }
}
fn main() {
    assert!(r#mod::r#match(1).is_ok() && r#mod::r#match(7).is_ok());
    assert!(r#mod::r#match(1).unwrap_err().name().ends_with("::match"));
    assert!(größe().is_ok());
    assert!(größe().unwrap_err().name().ends_with("::größe"));
    assert!(Struct.r#fn().is_ok());
    assert!(Struct.r#fn().unwrap_err().name().ends_with("::Struct::fn"));
}

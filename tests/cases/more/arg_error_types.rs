//@ run-pass
// Aliases of `Result`, errors of one type for everything, boxed errors.
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[derive(Debug)]
pub struct Any(Box<dyn std::error::Error + Send + Sync>);
impl<T: std::error::Error + Send + Sync + 'static> From<T> for Any {
    fn from(e: T) -> Self {
        Any(Box::new(e))
    }
}
mod anyhow {
    pub type Result<T, E = super::Any> = core::result::Result<T, E>;
}
#[window_rate_limit(limit = 1, window = "1m")]
fn f() -> anyhow::Result<u32> {
    let n = "1".parse::<u32>()?;
    Ok(n)
}
#[window_rate_limit(limit = 1, window = "1m")]
async fn g() -> anyhow::Result<()> {
    std::future::ready(Ok::<_, std::fmt::Error>(())).await?;
    Ok(())
}
#[window_rate_limit(limit = 1, window = "1m", error = Any("x".into()))]
fn h() -> anyhow::Result<u32> {
    Ok(1)
}
#[allow(dead_code)]
enum Wrong {
    A,
    B(E),
}
impl From<E> for Wrong {
    fn from(e: E) -> Self {
        Wrong::B(e)
    }
}
type W<T> = Result<T, Wrong>;
#[window_rate_limit(limit = 1, window = "1m")]
fn i() -> W<u32> {
    if line!() == 0 { Err(Wrong::A) } else { Ok(1) }
}
#[window_rate_limit(limit = 1, window = "1m")]
fn j() -> Result<u32, Box<dyn std::error::Error>> {
    Ok("7".parse()?)
}
fn main() {
    assert!(f().is_ok());
    assert!(f().unwrap_err().0.downcast_ref::<E>().is_some());
    drop(g());
    assert!(h().is_ok() && h().is_err());
    assert!(i().is_ok() && matches!(i(), Err(Wrong::B(_))));
    assert!(j().is_ok() && j().unwrap_err().is::<E>());
}

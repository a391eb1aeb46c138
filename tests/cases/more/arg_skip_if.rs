//@ run-pass
//@ deps: futures
// A call that is skipped is neither refused nor counted, and a permit of one counts nothing.
use futures::executor::block_on;
use windowlimit::{RateLimitExceeded as E, window_rate_limit};
#[derive(PartialEq)] struct User { admin: bool }
#[window_rate_limit(limit = 1, window_ms = 60000, skip_if = user.admin || *user == User { admin: true })]
fn plain(user: &User) -> Result<u32, E> { Ok(1) }
#[window_rate_limit(limit = 2, window_ms = 60000, skip_if = skip, permit = permit)]
fn with_permit(skip: bool) -> Result<u32, E> { Ok(permit.remaining()) }
#[window_rate_limit(limit = 1, window_ms = 60000, skip_if = is_free(&name).await)]
async fn awaits(name: String) -> Result<String, E> { Ok(name) }
async fn is_free(name: impl AsRef<str>) -> bool { std::future::ready(name.as_ref().is_empty()).await }
struct S { open: bool }
#[window_rate_limit(limit = 1, window_ms = 60000, skip_if = self.open)]
impl S { fn get(&self) -> Option<u32> { Some(1) } }
fn main() {
    let (admin, user) = (User { admin: true }, User { admin: false });
    for _ in 0..3 { assert!(plain(&admin).is_ok()); }
    assert!(plain(&user).is_ok() && plain(&user).is_err() && plain(&admin).is_ok());
    assert_eq!((with_permit(true).ok(), with_permit(false).ok(), with_permit(true).ok()), (Some(2), Some(1), Some(1)));
    assert_eq!((with_permit(false).ok(), with_permit(true).ok(), with_permit(false).ok()), (Some(0), Some(0), None));
    assert!(S { open: true }.get().is_some() && S { open: false }.get().is_some() && S { open: false }.get().is_none());
    drop(awaits(String::new())); let _ = block_on(async { 1 });
}

//! The attribute of the `windowlimit` crate. Use it from there: the expansion calls that crate.
//!
//! # Reading the source
//!
//! From the entry below to the tokens that come out: `args` reads and checks the arguments, `item` finds the body of
//! the function without looking into it, `expand` puts the guard in front of it, and `error` gathers every mistake
//! on the way.
#![forbid(unsafe_code)]

mod args;
mod error;
mod expand;
mod item;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Limits how often a function runs: at most `limit` calls in **every** window of that length, wherever it starts.
/// A call beyond that is refused, and the body does not run.
///
/// ```
/// use windowlimit::{RateLimitExceeded, window_rate_limit};
///
/// #[window_rate_limit(limit = 5, window_ms = 60000)]
/// fn get_content() -> Result<String, RateLimitExceeded> {
///     Ok("Hello World".to_string())
/// }
///
/// for _ in 0..5 {
///     assert_eq!(get_content().unwrap(), "Hello World");
/// }
/// let refusal = get_content().unwrap_err();
/// assert_eq!(refusal.to_string(), "Too many requests, please try again later.");
/// ```
///
/// | argument | meaning |
/// |---|---|
/// | `limit = 5` | how many calls, or units of `cost`, fit into a window, a `u32` |
/// | `window_ms = 60000` | how long the window is, in milliseconds |
/// | `window = "1m30s"` | the same as text, or any expression of type `Duration` |
/// | `limits = [(10, "1s"), (100, "1m")]` | several limits, all of which a call must fit |
/// | `key = EXPR` | a window for each value of the expression, such as `user.id` or a tuple |
/// | `limit_for = EXPR` | a `Limit`, or several, for this call; with `key`, instead of `limit` |
/// | `max_keys = 100_000` | how many keys are held at once; 1 000 000 if it is not given |
/// | `error = EXPR` | the error of a refused call, instead of what `From<RateLimitExceeded>` makes |
/// | `fallback = EXPR` | the whole return value of a refused call, for any return type |
/// | `skip_if = EXPR` | when true, the call is neither limited nor counted |
/// | `cost = EXPR` | how many units the call takes, a `u32`; 1 if it is not given |
/// | `wait` | a call that does not fit waits for its turn; a plain `fn` blocks its thread meanwhile |
/// | `max_wait = "2s"` | the same, but no longer than that; or `max_wait_ms = 2000` |
/// | `max_waiters = 100` | how many calls may wait; no bound if it is not given |
/// | `permit = NAME` | a variable in the body that knows how much is left, and can give the call back |
/// | `algorithm = segmented(10)` | a smaller window than the exact one, or with `fixed` the smallest |
/// | `name = "login"` | the name in refusals and in the registry; by default the path of the function |
/// | `store = EXPR` | one window for all processes that give it one `name`, on a `RedisStore` |
/// | `on_store_error = deny` | what happens while the store cannot be asked: `local`, the default, `allow` or `deny` |
/// | `limiter = EXPR` | a `Limiter` of yours, or with `key` a `KeyedLimiter`, instead of one of the function's own |
/// | `crate = ::path` | where the `windowlimit` crate is found, if it has another name |
///
/// It stands on functions and methods of every kind, `async` or not, and on `impl` blocks, where it limits each
/// method by itself.
///
/// # What a refused call returns
///
/// The return type decides: `Result<T, E>` gives `Err(e.into())`, where `E` is `RateLimitExceeded` or implements
/// `From<RateLimitExceeded>`; `Option<T>` gives `None`; a future resolves to one of these. Any other type is an error
/// of the compiler, and takes an `error` or a `fallback`. A refusal is never silent.
///
/// ```
/// use windowlimit::{RateLimitExceeded, window_rate_limit};
///
/// enum Fault {
///     Busy(RateLimitExceeded),
///     NoSuchUser,
/// }
///
/// impl From<RateLimitExceeded> for Fault {
///     fn from(refusal: RateLimitExceeded) -> Self {
///         Self::Busy(refusal)
///     }
/// }
///
/// #[window_rate_limit(limit = 100, window = "1s")]
/// fn find(user: &str) -> Result<u32, Fault> {
///     if user == "root" { Ok(0) } else { Err(Fault::NoSuchUser) }
/// }
///
/// #[window_rate_limit(limit = 1, window = "1m")]
/// fn sample(value: f64) -> Option<f64> {
///     Some(value)
/// }
///
/// assert!(matches!(find("root"), Ok(0)));
/// assert_eq!((sample(0.5), sample(0.6)), (Some(0.5), None));
/// ```
///
/// ## `error`
///
/// The error itself, evaluated only for a refusal; it may use the parameters. A closure is called with the
/// `RateLimitExceeded`, which knows the limit and when to try again.
///
/// ```
/// # use windowlimit::window_rate_limit;
/// #[window_rate_limit(limit = 1, window = "1m", error = format!("{user} is too fast"))]
/// fn greet(user: &str) -> Result<String, String> {
///     Ok(format!("hello {user}"))
/// }
///
/// #[window_rate_limit(limit = 1, window = "1m", error = |refusal| refusal.retry_after())]
/// fn ping() -> Result<(), Option<std::time::Duration>> {
///     Ok(())
/// }
///
/// assert_eq!(greet("ann"), Ok("hello ann".to_string()));
/// assert_eq!(greet("bob"), Err("bob is too fast".to_string()));
/// assert!(ping().is_ok() && ping().unwrap_err().is_some());
/// ```
///
/// ## `fallback`
///
/// What the function returns instead, whatever its type; of a function that returns a future, what the future gives.
/// Parameters may be used, and `.await` in an `async fn`. A closure is called with the `RateLimitExceeded`. A function
/// that returns `!` takes one that does not come back either, such as `panic!(..)`.
///
/// ```
/// # use windowlimit::window_rate_limit;
/// #[window_rate_limit(limit = 1, window = "1m", fallback = cached(city))]
/// fn temperature(city: &str) -> i32 {
///     measure(city)
/// }
///
/// # fn measure(_: &str) -> i32 { 21 }
/// # fn cached(_: &str) -> i32 { 20 }
/// assert_eq!((temperature("Rome"), temperature("Rome")), (21, 20));
/// ```
///
#[doc = include_str!("arguments.md")]
///
/// # On an `impl` block
///
/// Every method with a body gets a window of its own. A method's own attribute replaces that of the block, and
/// `#[window_rate_limit(skip)]` leaves it out, as every method must be that cannot be refused, such as a `const fn` or
/// a constructor.
///
/// ```
/// use windowlimit::{RateLimitExceeded, window_rate_limit};
///
/// struct Api;
///
/// #[window_rate_limit(limit = 100, window = "1m")]
/// impl Api {
///     #[window_rate_limit(skip)]
///     fn new() -> Self {
///         Api
///     }
///
///     fn read(&self) -> Result<u32, RateLimitExceeded> {
///         Ok(1)
///     }
///
///     #[window_rate_limit(limit = 1, window = "1m")]
///     fn write(&self) -> Result<(), RateLimitExceeded> {
///         Ok(())
///     }
/// }
///
/// let api = Api::new();
/// assert!(api.write().is_ok() && api.write().is_err());
/// assert!(api.read().is_ok() && api.read().is_ok());
/// ```
///
/// # One source function, one window
///
/// What shares a window is one function in the source. All instances of a generic function share it, and so do all
/// values of `self` and all types that use the default method of a trait. Two functions never do, whatever their
/// names are. `key`, `limiter`, and the form on an `impl` block are the ways to split a window or to share one.
///
/// ```
/// # use windowlimit::{RateLimitExceeded, window_rate_limit};
/// #[window_rate_limit(limit = 2, window = "1m")]
/// fn show<T: ToString>(value: T) -> Result<String, RateLimitExceeded> {
///     Ok(value.to_string())
/// }
///
/// assert!(show(1).is_ok() && show("two").is_ok());
/// assert!(show('3').is_err());
/// ```
///
/// # When is an async call counted?
///
/// When its future is first polled, or with `wait` when its turn comes after that. A future that is never polled costs
/// nothing. That holds for an `async fn`, and for
/// a function that ends with `async { .. }`, `Box::pin(async { .. })` or `async { .. }.boxed()`, be it written so or
/// made so by another attribute such as `#[async_trait]`; what stands before that block runs before the decision. A
/// function that makes its future in any other way is an error of the compiler, as far as its return type shows that
/// it is one.
///
/// ```
/// use std::{future::Future, pin::pin, task::{Context, Poll, Waker}};
/// use windowlimit::{RateLimitExceeded, window_rate_limit};
///
/// #[window_rate_limit(limit = 1, window = "1m")]
/// async fn f() -> Result<u32, RateLimitExceeded> {
///     Ok(1)
/// }
///
/// let unpolled = (f(), f(), f());
/// let polled = pin!(f()).poll(&mut Context::from_waker(Waker::noop()));
/// assert!(matches!(polled, Poll::Ready(Ok(1))));
/// # drop(unpolled);
/// ```
///
/// # The order with other attributes
///
/// What stands first expands first, and ends up innermost. Above `#[tracing::instrument]` the limit is inside of the
/// span, so that refused calls are traced; below it they are not, since the span is inside of the limit. Above
/// `#[tokio::main]` the decision is made inside of the runtime, below it outside. Either way one call takes one unit.
///
/// `#[async_trait]` on the block expands before the attribute on a method. It moves the patterns of parameters into
/// the body, so that arguments see a parameter `user: &User` there, but not the names in `(a, b): (u32, u32)`.
///
/// Written twice, the attribute makes two decisions: the one that is written first is made and charged first, and a
/// call that the second one refuses has been charged to the first. `limits` makes one decision of it.
///
/// ```
/// # use windowlimit::{RateLimitExceeded, window_rate_limit};
/// #[window_rate_limit(limit = 3, window = "1h", name = "hour")]
/// #[window_rate_limit(limit = 1, window = "1m", name = "minute")]
/// fn f() -> Result<(), RateLimitExceeded> {
///     Ok(())
/// }
///
/// assert!(f().is_ok());
/// assert_eq!(f().unwrap_err().name(), "minute");
/// # assert_eq!(f().unwrap_err().name(), "minute");
/// // That was charged to the hour all the same.
/// assert_eq!(f().unwrap_err().name(), "hour");
/// ```
///
/// # `crate`
///
/// The path of the `windowlimit` crate, if it is not `::windowlimit`: for a dependency under another name, and for
/// macros of other crates, which write it as `crate = $crate::path::to::windowlimit`.
///
/// ```
/// mod dependencies {
///     pub use windowlimit as limits;
/// }
///
/// #[dependencies::limits::window_rate_limit(limit = 5, window = "1m", crate = crate::dependencies::limits)]
/// fn f() -> Option<u32> {
///     Some(1)
/// }
/// # fn main() { assert!(f().is_some()); }
/// ```
#[proc_macro_attribute]
pub fn window_rate_limit(args: TokenStream, item: TokenStream) -> TokenStream {
    error::caught(args.into(), item.into(), expand::expand).into()
}

/// What the attribute on an `impl` block leaves on its methods.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn __from_impl(args: TokenStream, item: TokenStream) -> TokenStream {
    error::caught(args.into(), item.into(), expand::expand_method).into()
}

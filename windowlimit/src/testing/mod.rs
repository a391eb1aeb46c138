//! Testing code that is limited.
//!
//! A function with `#[window_rate_limit]` has one window for the whole process, and reads the clock of the operating
//! system. So two tests that call it share what it admits, and a test that wants to see it open again would have to wait. In
//! a *scope* neither is so: limiters are fresh, time stands still until the test moves it, and what is called in a scope is
//! seen nowhere else. This module needs the feature `test-util`, under `[dev-dependencies]`:
//!
//! ```toml
//! [dev-dependencies]
//! windowlimit = { version = "0.1", features = ["test-util"] }
//! ```
//!
//! The code under test needs no change:
//!
//! ```
//! use std::time::Duration;
//! use windowlimit::{RateLimitExceeded, testing, window_rate_limit};
//!
//! #[window_rate_limit(limit = 2, window = "1m")]
//! fn greet() -> Result<&'static str, RateLimitExceeded> {
//!     Ok("Hello")
//! }
//!
//! // #[test]
//! fn greets_twice_a_minute() {
//!     testing::scope(|clock| {
//!         assert!(greet().is_ok() && greet().is_ok());
//!         assert_eq!(greet().unwrap_err().retry_after(), Some(Duration::from_secs(60)));
//!         clock.advance(Duration::from_secs(60));
//!         assert!(greet().is_ok());
//!     });
//! }
//!
//! // #[test], at the same time
//! fn greets_at_first() {
//!     testing::scope(|_| assert!(greet().is_ok() && greet().is_ok()));
//! }
//! # std::thread::scope(|scope| {
//! #     for test in [greets_twice_a_minute, greets_at_first] {
//! #         scope.spawn(move || (0..100).for_each(|_| test()));
//! #     }
//! # });
//! ```
//!
//! # Asynchronous tests
//!
//! [`scope_async`] is the same around a future, whatever runs it and on whichever thread:
//!
//! ```
//! use std::time::Duration;
//! use windowlimit::{RateLimitExceeded, testing, window_rate_limit};
//!
//! #[window_rate_limit(limit = 1, window = "1s")]
//! async fn greet() -> Result<&'static str, RateLimitExceeded> {
//!     Ok("Hello")
//! }
//!
//! # tokio_test(async {
//! testing::scope_async(async |clock| {
//!     assert!(greet().await.is_ok() && greet().await.is_err());
//!     clock.advance(Duration::from_secs(1));
//!     assert!(greet().await.is_ok());
//! })
//! .await;
//! # });
//! # fn tokio_test(future: impl Future<Output = ()>) {
//! #     let mut future = std::pin::pin!(future);
//! #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #     assert!(future.as_mut().poll(&mut context).is_ready());
//! # }
//! ```
//!
//! # Threads and tasks
//!
//! A scope holds for the code that runs inside of it on this thread, or while the future is polled. A thread or a task that
//! it starts is outside, until it is told: [`Scope::current`] is the scope to hand on, [`run`](Scope::run) and
//! [`run_async`](Scope::run_async) enter it again.
//!
//! ```
//! use windowlimit::{RateLimitExceeded, testing::{self, Scope}, window_rate_limit};
//!
//! #[window_rate_limit(limit = 5, window = "1m")]
//! fn greet() -> Result<&'static str, RateLimitExceeded> {
//!     Ok("Hello")
//! }
//!
//! testing::scope(|_| {
//!     let scope = Scope::current().expect("this is one");
//!     let threads: Vec<_> = (0..10).map(|_| {
//!         let scope = scope.clone();
//!         std::thread::spawn(move || scope.run(|| greet().is_ok()))
//!     }).collect();
//!     let greeted = threads.into_iter().filter_map(|thread| thread.join().ok()).filter(|&is_ok| is_ok).count();
//!     assert_eq!(greeted, 5);
//! });
//! ```
//!
//! # Other clocks
//!
//! [`Scope::with_clock`] takes any clock: one of your own that other parts of the test move as well, or `TokioClock`, of the
//! feature `tokio`, which follows the time of tokio also where that is paused. Calls that wait for their turn then move it:
//!
//! ```
//! # #[cfg(feature = "tokio")] {
//! use windowlimit::{RateLimitExceeded, TokioClock, testing::Scope, window_rate_limit};
//!
//! #[window_rate_limit(limit = 1, window = "1m", wait)]
//! async fn fetch() -> Result<(), RateLimitExceeded> {
//!     Ok(())
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! // In a test: #[tokio::test(start_paused = true)]
//! let started = tokio::time::Instant::now();
//! Scope::with_clock(TokioClock)
//!     .run_async(async {
//!         for _ in 0..3 {
//!             assert!(fetch().await.is_ok());
//!         }
//!     })
//!     .await;
//! assert_eq!(started.elapsed().as_secs(), 120);
//! # }
//! # main()
//! # }
//! ```
//!
//! # What is fresh in a scope
//!
//! The limiters of attributes, with the limits that stand in the source, whatever was changed outside; and every other
//! `static` limiter that was [registered](crate::registry::Registry::register). A limiter in a field or on the stack is the
//! test's own anyway: give it a [`ManualClock`] of its own. The [registry](mod@crate::registry) inside of a scope is that of the
//! scope: what is changed by name there is changed for the scope, and limits of a file or of the environment are not in
//! force in it.
//!
//! Outside of any scope all is as in production; to begin anew there, [`reset`](crate::registry::Registry::reset) forgets by
//! name.
//!
//! # What it costs
//!
//! As long as a process has no scope, nothing. From its first one on, each call looks for the scope it is in.

use std::{fmt, future::poll_fn, pin::pin, sync::Arc};

use crate::{
    clock::{Clock, ManualClock},
    watch::scope::World,
};

/// Runs a test in a scope of its own, with a clock that stands still until it is moved.
///
/// The [module](self) says what is different inside.
pub fn scope<R>(body: impl FnOnce(&ManualClock) -> R) -> R {
    let clock = Arc::new(ManualClock::new());
    Scope::with_clock(clock.clone()).run(|| body(&clock))
}

/// Runs an asynchronous test in a scope of its own, with a clock that stands still until it is moved.
///
/// The [module](self) says what is different inside.
pub async fn scope_async<R>(body: impl AsyncFnOnce(&ManualClock) -> R) -> R {
    let clock = Arc::new(ManualClock::new());
    let scope = Scope::with_clock(clock.clone());
    scope.run_async(async { body(&clock).await }).await
}

/// A scope in which limiters are fresh. Clones are the same scope; it ends with the last of them.
///
/// ```
/// use std::{sync::Arc, time::Duration};
/// use windowlimit::{ManualClock, RateLimitExceeded, testing::Scope, window_rate_limit};
///
/// #[window_rate_limit(limit = 1, window = "1m")]
/// fn greet() -> Result<&'static str, RateLimitExceeded> {
///     Ok("Hello")
/// }
///
/// let clock = Arc::new(ManualClock::new());
/// let (one, other) = (Scope::with_clock(clock.clone()), Scope::with_clock(clock.clone()));
/// assert!(one.run(|| greet().is_ok() && greet().is_err()));
/// assert!(other.run(|| greet().is_ok() && greet().is_err()));
/// clock.advance(Duration::from_secs(60));
/// assert!(one.run(|| greet().is_ok()));
/// ```
#[derive(Clone)]
pub struct Scope {
    world: Arc<World>,
}

impl Scope {
    /// A scope with this clock, in which nothing has been called yet.
    pub fn with_clock(clock: impl Clock + Send + Sync + 'static) -> Self {
        Self { world: World::new(Arc::new(clock)) }
    }

    /// The scope that this runs in.
    #[must_use]
    pub fn current() -> Option<Self> {
        World::current().map(|world| Self { world })
    }

    /// Runs this in the scope. Inside of another scope, it is out of force meanwhile.
    pub fn run<R>(&self, body: impl FnOnce() -> R) -> R {
        let _entered = self.world.enter();
        body()
    }

    /// Runs a future in the scope, on whichever threads it is polled.
    ///
    /// Where the result is dropped early, what the future holds is dropped outside of the scope.
    pub async fn run_async<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|context| {
            let _entered = self.world.enter();
            future.as_mut().poll(context)
        })
        .await
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("now", &self.world.clock().now()).finish_non_exhaustive()
    }
}

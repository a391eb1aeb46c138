//! The time of tokio.

use std::{sync::LazyLock, time::Duration};

use tokio::{
    runtime::Handle,
    time::{Instant, sleep_until},
};

use super::{Clock, HEAD_START, Sleep, nanos};

/// The clock and the timer of tokio (feature `tokio`): in a test with paused time, calls that wait for their turn move it.
///
/// Outside of a runtime it is the monotonic clock of the operating system with a timer of its own. Inside, the runtime has
/// to have its timer, as for anything that sleeps in tokio: `enable_time` or `enable_all`, which the macros of tokio do. (If
/// it has none, whoever would sleep panics, by tokio's own words, and leaves the line.) Never block on a turn of this clock
/// on a thread of the runtime: it may be the one that would have to move it.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, Limiter, TokioClock};
///
/// static API: Limiter<TokioClock> = Limiter::with_clock("api", &[Limit::per_minute(1)], TokioClock);
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), windowlimit::RateLimitExceeded> {
/// // Time is paused: this takes a minute of it, and no time at all.
/// let started = tokio::time::Instant::now();
/// API.acquire().await?;
/// API.acquire().await?;
/// assert_eq!(started.elapsed().as_secs(), 60);
/// # Ok(())
/// # }
/// ```
///
/// # Resolution
///
/// The timer of tokio counts milliseconds: a turn comes up to one late, and is never early.
///
/// # Paused time
///
/// Each runtime that pauses its time has one of its own, which begins when it is paused. A limiter that is shared by several
/// such tests sees it go back, and holds back until it is where it was: give each test a limiter of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokioClock;

/// The first reading of the process.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock for TokioClock {
    fn now(&self) -> u64 {
        let origin = *ORIGIN;
        nanos(Instant::now().saturating_duration_since(origin)).saturating_add(HEAD_START)
    }

    fn sleep_until(&self, until: u64) -> Sleep<'_> {
        let until = Duration::from_nanos(until.saturating_sub(HEAD_START));
        match (Handle::try_current(), ORIGIN.checked_add(until)) {
            (Ok(_), Some(until)) => Sleep::new(sleep_until(until)),
            // What is so far away is looked at again.
            _ => Sleep::for_real(until.saturating_sub(ORIGIN.elapsed())),
        }
    }
}

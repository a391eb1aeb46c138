//! The clock of the operating system.

use super::{Clock, HEAD_START};

/// The operating system's monotonic clock, the default: what [`std::time::Instant`] reads.
///
/// Steps of the wall clock do not reach it. Whether time counts while the machine sleeps is the platform's
/// choice: it does on Windows, and does not on Linux and macOS. A limiter there resumes after the sleep where
/// it was before, and is never over its limit on this clock.
///
/// ```
/// use windowlimit::{Clock, SystemClock};
///
/// let earlier = SystemClock.now();
/// assert!(SystemClock.now() >= earlier);
/// ```
///
/// # What it costs
///
/// On Linux a reading takes 22 ns, most of a decision. Where a [`Limiter`](crate::Limiter) with one limit was found full for
/// more than a quarter of a second yet, the next refusals do not need it: a clock that is some milliseconds late, and takes
/// 5 ns, says as well that there is no room. Then the exact time is read when somebody asks the refusal for its
/// [retry time](crate::RateLimitExceeded::retry_after).
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

/// An instant that has not come yet.
#[derive(Clone, Copy, Debug)]
pub struct Latest(u64);

impl Latest {
    /// How far it lies ahead of the clock at most.
    ///
    /// The coarse clock of Linux shows the last tick: it is late by at most one tick, 1 to 10 ms, while the thread runs that
    /// keeps the time, and by six ticks when another has to take its place (`MAX_STALLED_JIFFIES` in
    /// `kernel/time/tick-sched.c`). This is four times that. A machine that is later still refuses a call for as long as it
    /// is, and never admits one more.
    pub(crate) const SLACK: u64 = if cfg!(windowlimit_loom) { 0 } else { 250_000_000 };

    /// For a clock that shows at least `reading` less the slack.
    #[cfg_attr(not(any(test, windowlimit_loom, target_os = "linux")), allow(dead_code))]
    #[inline]
    pub(crate) const fn after(reading: u64) -> Self {
        Self(reading.saturating_add(Self::SLACK))
    }

    /// In nanoseconds since the origin of the clock.
    #[inline]
    pub(crate) const fn nanos(self) -> u64 {
        self.0
    }

    /// That of a model.
    #[cfg(windowlimit_loom)]
    #[must_use]
    pub const fn of_model(reading: u64) -> Self {
        Self::after(reading)
    }
}

#[cfg(target_os = "linux")]
impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> u64 {
        read(rustix::time::ClockId::Monotonic)
    }

    #[inline]
    fn latest(&self) -> Option<Latest> {
        Some(Latest::after(read(rustix::time::ClockId::MonotonicCoarse)))
    }
}

/// Nanoseconds since the machine was started, and the head start.
#[cfg(target_os = "linux")]
#[allow(clippy::cast_sign_loss)] // neither is negative
#[inline]
fn read(clock: rustix::time::ClockId) -> u64 {
    let time = rustix::time::clock_gettime(clock);
    let (seconds, nanos) = (time.tv_sec as u64, time.tv_nsec as u64);
    // 2^64 nanoseconds are 584 years: what would wrap does not come.
    seconds.wrapping_mul(1_000_000_000).wrapping_add(nanos).wrapping_add(HEAD_START)
}

#[cfg(not(target_os = "linux"))]
impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> u64 {
        use std::{sync::LazyLock, time::Instant};

        /// The first reading of the process.
        static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let origin = *ORIGIN;
        super::nanos(Instant::now().saturating_duration_since(origin)).saturating_add(HEAD_START)
    }
}

#[cfg(all(test, target_os = "linux", not(windowlimit_loom)))]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Latest, SystemClock};
    use crate::clock::Clock;

    #[test]
    fn it_shows_what_instants_show() {
        for _ in 0..1_000 {
            let (before, earlier) = (SystemClock.now(), Instant::now());
            std::hint::black_box([0; 100]);
            let (later, after) = (Instant::now(), SystemClock.now());
            assert!(Duration::from_nanos(after - before) >= later - earlier);
        }
    }

    #[test]
    fn the_latest_instant_has_not_come_and_is_not_far() {
        for _ in 0..100_000 {
            let before = SystemClock.now();
            let latest = SystemClock.latest().expect("Linux has it").nanos();
            let after = SystemClock.now();
            assert!(latest <= after + Latest::SLACK, "the coarse clock is ahead");
            assert!(latest > before, "the coarse clock is later than the slack: {before} {latest}");
        }
    }
}

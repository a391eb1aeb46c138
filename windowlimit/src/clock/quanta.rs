//! The time-stamp counter of the processor, by the crate `quanta`.

use std::sync::LazyLock;

use quanta::Clock as Counter;

use super::{Clock, HEAD_START};

/// The processor's own counter instead of the operating system's clock (feature `quanta`): it takes about half as long to
/// read, and its second is usually up to some tens of microseconds off.
///
/// It is the clock that `governor` uses unless it is told otherwise. A limiter keeps its whole promise on it, but in this
/// clock's nanoseconds: see [below](#what-it-trusts) how they differ from those of [`SystemClock`](crate::SystemClock).
///
/// ```
/// use windowlimit::{Limit, Limiter, QuantaClock, RateLimitExceeded, window_rate_limit};
///
/// static API: Limiter<QuantaClock> = Limiter::with_clock("api", &[Limit::per_minute(2)], QuantaClock);
///
/// #[window_rate_limit(limiter = API)]
/// fn get_content() -> Result<&'static str, RateLimitExceeded> {
///     Ok("Hello World")
/// }
///
/// assert!(get_content().is_ok() && get_content().is_ok() && get_content().is_err());
/// ```
///
/// # The first reading
///
/// The first reading in the process finds out how fast the counter runs, by comparing it with the operating system's clock:
/// usually for less than a millisecond, for 200 at most, and whoever reads it meanwhile waits. A service that must not stop for
/// that at its first call reads it when it starts: `QuantaClock.now();`.
///
/// # What it trusts
///
/// The processor's word, `invariant TSC` and `RDTSCP` in its CPUID, that the counter runs evenly, at the same rate on all
/// cores, and does not stop when they sleep; on ARM the system counter has to be that by definition. It does not ask whether
/// the kernel has found the counter to be otherwise, as it sometimes does on several sockets and on virtual machines that
/// move. Where the processor does not say so, and on other processors, this is the operating system's monotonic clock.
///
/// * **Rate.** It is measured once, during the first reading, and not again: later corrections of the system's clock, by NTP,
///   do not reach it. So a window can be longer or shorter than by the system's clock, by what the measurement was off and
///   what the two drift apart: usually some tens of millionths, a millisecond or two in a minute. Nothing bounds it: it is more
///   if the process lost its core in that moment.
/// * **Order.** The counter is read without a fence, so that a core may read it some tens of nanoseconds before what stands
///   before it, and what two cores read may differ by as much. The limiter takes nobody to be earlier than the newest
///   admission, so that no window holds more than its limit by the instants that were read.
/// * **Sleep.** Whether time counts while the machine sleeps is the processor's choice. Where the counter starts again from
///   nothing, this clock goes back, and a limiter frees nothing until it has come to where it was: that may take as long as
///   the machine had been up. On machines that are put to sleep, use [`SystemClock`](crate::SystemClock).
///
/// Calls that wait for their turn sleep by a timer of the operating system, and look at this clock again.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuantaClock;

/// The counter, with its rate.
static COUNTER: LazyLock<Counter> = LazyLock::new(Counter::new);

impl Clock for QuantaClock {
    #[inline]
    fn now(&self) -> u64 {
        let counter = &*COUNTER;
        // Since the counter was 0, which is when the machine was started, and may have been a moment ago.
        counter.delta_as_nanos(0, counter.raw()).saturating_add(HEAD_START)
    }
}

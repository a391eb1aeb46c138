//! The clocks of one side in the words of the other, so that both pay for the same reading.

use std::{sync::LazyLock, time::Instant};

use governor::nanos::Nanos;
use windowlimit::{Clock, SystemClock};

/// `std::time::Instant`, which most others read, for ours.
#[derive(Clone, Copy)]
pub(crate) struct StdClock;

impl Clock for StdClock {
    #[inline]
    fn now(&self) -> u64 {
        static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let origin = *ORIGIN;
        let elapsed = Instant::now().saturating_duration_since(origin);
        // As `SystemClock` does it: well above zero, and 128 bits would cost more.
        elapsed.as_secs() * 1_000_000_000 + u64::from(elapsed.subsec_nanos()) + 1_000_000_000
    }
}

/// Ours, for governor.
#[derive(Clone)]
pub(super) struct SameClock;

impl governor::clock::Clock for SameClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::new(SystemClock.now())
    }
}

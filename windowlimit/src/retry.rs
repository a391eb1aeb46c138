//! When a refused call may come again.

use std::num::NonZeroU64;

use crate::clock::{SystemClock, instant};

/// From when a retry time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// From the decision, which read its clock.
    Decision,
    /// From the origin of the [`SystemClock`], of which the decision did not need the exact time.
    Origin,
}

/// So many nanoseconds, in words that fit wherever there is room.
#[derive(Clone, Copy)]
pub(crate) struct Retry {
    pub(crate) nanos: NonZeroU64,
    pub(crate) since: Since,
}

impl Retry {
    /// So many nanoseconds after the decision. `None` for none, which is never a time to wait.
    #[inline]
    pub(crate) const fn after(nanos: u64) -> Option<Self> {
        match NonZeroU64::new(nanos) {
            Some(nanos) => Some(Self { nanos, since: Since::Decision }),
            None => None,
        }
    }

    /// At this instant of the system's clock.
    #[inline]
    pub(crate) const fn at(instant: u64) -> Option<Self> {
        match NonZeroU64::new(instant) {
            Some(nanos) => Some(Self { nanos, since: Since::Origin }),
            None => None,
        }
    }

    /// How long that is, in nanoseconds, never zero: from the decision or, if it did not need the exact time, from now.
    pub(crate) fn nanos(self) -> u64 {
        match self.since {
            Since::Decision => self.nanos.get(),
            Since::Origin => self.nanos.get().saturating_sub(instant(&SystemClock)).max(1),
        }
    }
}

//! What every window answers to a call.

use crate::{
    limit::{InvalidLimit, Limit},
    others::Others,
    usage::Usage,
};

/// An admission, as the window that made it knows it.
#[derive(Clone, Copy)]
pub(crate) struct Receipt {
    /// How full the window was right after it.
    pub(crate) usage: Usage,
    /// The instant at which it was entered. With the units it names a record: units of one instant are alike.
    pub(crate) at: u64,
    pub(crate) cost: u32,
}

/// This limit has no room for the call for so many nanoseconds from the reading of the clock.
#[derive(Clone, Copy)]
pub(crate) struct Full {
    pub(crate) limit: Limit,
    pub(crate) retry_after: u64,
    /// How many units it had left, which are fewer than the call takes.
    pub(crate) remaining: u32,
}

impl Full {
    /// The one that has room last decides when to come back; of equals the first.
    #[inline]
    pub(crate) fn or_later(self, other: Self) -> Self {
        if other.retry_after > self.retry_after { other } else { self }
    }

    /// The same for limits of which each may have room.
    #[inline]
    pub(crate) fn last(limits: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        limits.flatten().reduce(Self::or_later)
    }
}

/// Why a window did not admit a call.
pub(crate) enum Stop {
    /// With the state of the other limits.
    Full(Full, Others),
    /// The call takes more than this limit ever has.
    Never(Limit),
    /// There is no limit to keep.
    Misconfigured(InvalidLimit),
    /// The window was given up for another one, or is just being replaced.
    Moved,
    /// The window has to be replaced by one that can go on. If no memory is left for that, it counts as full.
    Outgrown(Option<Full>),
    /// The window counts only calls that take one unit.
    Uneven,
}

/// An admission, with the state of the limits beside the tightest one.
pub(crate) type Told = (Receipt, Others);

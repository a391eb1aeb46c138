//! Windows that one thread at a time decides on, small: there may be one for each of millions of keys.
//!
//! The limits come with each call, since they may depend on the caller. An exact window remembers instants, whatever the
//! limits are. A segmented or fixed one has a part for each length of a window; one for a length that is new goes on from
//! the part of the longest.

mod exact;
mod few;
mod fixed;
mod segmented;

pub(crate) use self::{exact::Exact, fixed::Fixed, segmented::Segmented};
use crate::{
    usage::Usage,
    window::{answer::Full, log::Admission, rules::Rules},
};

/// The window of one key.
pub(crate) trait Solo: Clone {
    /// A window in which nothing was admitted.
    const EMPTY: Self;

    /// Whether it is such a one, in which time has not been either.
    fn is_empty(&self) -> bool;

    /// Admits a call that takes so many units, if every limit has room for it: at the instant that it gives back. How
    /// full the window is then, `usage` tells who asks.
    fn claim(&mut self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full>;

    /// The state of the tightest limit.
    fn usage(&self, rules: &Rules<'_>, reading: u64) -> Usage;

    /// Gives back units that were admitted at one instant, as long as they count.
    fn refund(&mut self, rules: &Rules<'_>, reading: u64, given: Admission);

    /// A copy, or of one that is large, what decides when so many more units have room.
    fn decisive(&self, _: &Rules<'_>, _: u64) -> Self {
        self.clone()
    }

    /// The instant from which on nothing counts, so that the window is the same as none.
    fn idle_from(&self, rules: &Rules<'_>) -> u64;
}

//! What a decision has to look at beside the window: nothing, as long as one word is zero.

use crate::sync::{AtomicU8, Ordering, const_fn};

/// Whether a limiter is decided in the plain way, by one look at its window.
///
/// Each bit is a reason to take the longer way, out of line. A decision loads the word once, and a limiter that is
/// never more than plain pays for nothing else.
///
/// # Concurrency
///
/// All is Relaxed: a bit says where to look, and what stands there is under a lock. A call that begins after a bit was set,
/// as whoever learns of that can tell, sees it; one that begins at the same time may count as the earlier one.
pub(crate) struct Gate(AtomicU8);

impl Gate {
    /// The window is no ring with one limit that has room for a call.
    pub(crate) const UNEVEN: u8 = 1;
    /// Somebody waits in line.
    pub(crate) const LINE: u8 = 1 << 1;
    /// The limiter of an attribute that has not been called yet.
    pub(crate) const UNSEEN: u8 = 1 << 2;
    /// Calls are let through without a decision.
    pub(crate) const OFF: u8 = 1 << 3;
    /// Calls that would be refused are let through.
    pub(crate) const SHADOW: u8 = 1 << 4;
    /// Tests have had scopes, in which the limiter has a double.
    pub(crate) const SCOPED: u8 = 1 << 5;
    /// Decisions are reported, by a feature of the crate.
    pub(crate) const TOLD: u8 = 1 << 6;
    /// All that has to do with those who watch the limiter from outside.
    pub(crate) const WATCHED: u8 = Self::UNSEEN | Self::OFF | Self::SHADOW | Self::SCOPED | Self::TOLD;

    const_fn! {
        /// That of a limiter which was just made: whether its window decides calls at once, and whether it is yet to be
        /// entered in the registry.
        pub(crate) fn at_first(is_plain: bool, is_unseen: bool) -> Self {
            let told = if cfg!(any(feature = "metrics", feature = "tracing")) { Self::TOLD } else { 0 };
            let uneven = if is_plain { 0 } else { Self::UNEVEN };
            Self(AtomicU8::new(told | uneven | if is_unseen { Self::UNSEEN } else { 0 }))
        }
    }

    /// Whether there is no reason to look further.
    #[inline]
    pub(crate) fn is_clear(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    pub(crate) fn has(&self, bit: u8) -> bool {
        self.0.load(Ordering::Relaxed) & bit != 0
    }

    pub(crate) fn set(&self, bit: u8) {
        self.0.fetch_or(bit, Ordering::Relaxed);
    }

    pub(crate) fn clear(&self, bit: u8) {
        self.0.fetch_and(!bit, Ordering::Relaxed);
    }
}

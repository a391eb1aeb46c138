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

    const_fn! {
        pub(crate) fn new(bits: u8) -> Self {
            Self(AtomicU8::new(bits))
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

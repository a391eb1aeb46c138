//! Who has decided on a call.

/// Who has decided on a call: the window of the limiter, or what stood in for it.
///
/// A limiter of this process decides by itself. One whose windows are shared may have to do without its store, and says
/// so; see `OnStoreError`, behind the feature `redis`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Decider {
    /// This process: a window of it, which is the limiter's own, or the line in front of one that is shared.
    #[default]
    Process,
    /// The store, on which the window is shared.
    Store,
    /// What is remembered of the store's last refusal.
    Memory,
    /// A window of this process, in place of the store.
    Local,
    /// Nobody: without the store, every call is admitted.
    Allowed,
    /// Nobody: without the store, every call is refused.
    Denied,
    /// Nobody: the call was not to be counted.
    Uncounted,
}

impl Decider {
    /// Whether the store should have decided, and could not be asked.
    #[must_use]
    pub const fn is_degraded(self) -> bool {
        matches!(self, Self::Local | Self::Allowed | Self::Denied)
    }
}

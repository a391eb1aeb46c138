//! What happens to a call that the store cannot be asked about.

/// What happens to a call when the store cannot decide on it: it is away, it does not answer in time, or the key holds
/// something else.
///
/// Each bounds how far the limit may be exceeded then, and how many calls are lost that would have fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnStoreError {
    /// A window of this process decides, with the same limits. The default.
    ///
    /// It admits at most N in W in each process (N divided by the number of
    /// [replicas](crate::SharedLimiterBuilder::replicas), if that was told), and counts what the store has admitted in this
    /// process before; but for those that it entered, for the time that an answer takes, so late that it was full. So in an
    /// outage P processes together may admit up to P times as much. The store does not know of that: in the window in which
    /// it comes back, N more may be admitted.
    #[default]
    Local,
    /// The call is admitted, and not counted. While the store is away there is no limit at all.
    Allow,
    /// The call is refused, with the reason [`StoreUnavailable`](crate::Reason::StoreUnavailable). Nothing is exceeded, and
    /// while the store is away nothing is served.
    Deny,
}

//! Which window a limiter keeps.

use std::time::Duration;

use crate::limit::{InvalidLimit, Limit};

/// Which window a limiter keeps: how exactly it counts, and what it has to remember for that.
///
/// | | promise | memory | the most in a window, wherever it starts |
/// |---|---|---|---|
/// | [`Exact`](Self::Exact) | never more than N, and what fits is never refused | a word for each admission that counts | N |
/// | [`Segmented(n)`](Self::Segmented) | never more than N; an admission may count for up to W/n longer | n + 2 words | N |
/// | [`Fixed`](Self::Fixed) | at most N in each of its windows, which do not slide | one word | 2N - 1 |
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Algorithm, Limit, Limiter};
///
/// static EXPORTS: Limiter = Limiter::new("exports", Limit::per_hour(1_000_000)).with_algorithm(Algorithm::Segmented(60));
/// assert!(EXPORTS.check().is_ok());
///
/// let by_length = Limiter::builder()
///     .limit(Limit::per_minute(600))
///     .algorithm(Algorithm::SegmentedBy(Duration::from_millis(100)))
///     .build()?;
/// assert!(by_length.check().is_ok());
/// # Ok::<(), windowlimit::InvalidLimit>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Every interval of the length W, wherever it starts, holds at most N units, and a call that fits is admitted.
    /// The default. It remembers the instants of the admissions that count, and decides without a lock as long as every
    /// call takes one unit.
    #[default]
    Exact,
    /// Never more than N in any interval of the length W, from n + 2 words: admissions are counted by segments of W/n,
    /// and a segment is forgotten when its end has left the window, so that an admission may count for up to W/n longer
    /// than in the exact window (and a nanosecond, where n does not divide W). From 1 to [`MAX_SEGMENTS`](Self::MAX_SEGMENTS)
    /// segments. Lock-free.
    Segmented(u32),
    /// [`Segmented`](Self::Segmented), with as many segments as it takes for none to be longer than this. An admission
    /// may count for so much longer than in the exact window.
    SegmentedBy(Duration),
    /// Up to 2N - 1 units fit into an interval of the length W around an edge: each window holds at most N, and the next
    /// begins with the first admission after its end. One word for one limit; several are decided under a lock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use windowlimit::{Algorithm, Limit, Limiter, ManualClock};
    ///
    /// let clock = ManualClock::new();
    /// let limiter = Limiter::builder()
    ///     .limit(Limit::per_minute(3))
    ///     .algorithm(Algorithm::Fixed)
    ///     .clock(&clock)
    ///     .build()?;
    /// let admitted = |calls: usize| (0..calls).filter(|_| limiter.check().is_ok()).count();
    ///
    /// assert_eq!(admitted(1), 1);
    /// clock.advance(Duration::from_secs(60) - Duration::from_nanos(1));
    /// assert_eq!(admitted(5), 2);
    /// // The edge: five in two nanoseconds, of which no window holds more than three.
    /// clock.advance(Duration::from_nanos(1));
    /// assert_eq!(admitted(5), 3);
    /// # Ok::<(), windowlimit::InvalidLimit>(())
    /// ```
    Fixed,
}

impl Algorithm {
    /// The most segments that a window may have. Each takes a word.
    pub const MAX_SEGMENTS: u32 = 100_000;

    /// How long a segment of this limit is, in nanoseconds; of windows that have none, their length.
    pub(crate) fn segment(self, limit: &Limit) -> Result<u64, InvalidLimit> {
        let window = limit.nanos();
        let segments = match self {
            Self::Exact | Self::Fixed => 1,
            Self::Segmented(segments) => u128::from(segments),
            Self::SegmentedBy(length) if length.is_zero() => 0,
            Self::SegmentedBy(length) => u128::from(window).div_ceil(length.as_nanos()),
        };
        match u32::try_from(segments) {
            Ok(segments @ 1..=Self::MAX_SEGMENTS) => Ok(window.div_ceil(u64::from(segments))),
            _ => Err(InvalidLimit::SEGMENTS),
        }
    }
}

//! One limit, so many units in so long a window, and its checks and text forms.

use std::{fmt, str::FromStr, time::Duration};

/// The longest window, about 292 years; longer ones count as this. An instant plus a window then never overflows 64
/// bits: instants end a nanosecond earlier.
pub(crate) const LONGEST_WINDOW: u64 = (1 << 63) - 1;

/// A limit: at most `max` units in every window of a given length.
///
/// "Every window" is every half-open interval `[t, t + window)`, wherever it starts.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::Limit;
///
/// const LOGINS: Limit = Limit::per_minute(5);
/// let burst = Limit::new(20, Duration::from_millis(250))?;
/// let from_a_file: Limit = "100/1m30s".parse()?;
///
/// assert_eq!(LOGINS.to_string(), "5/1m");
/// assert_eq!(from_a_file.window(), Duration::from_secs(90));
/// # let _ = burst;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A limit of zero is one: it refuses every call that costs something.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limit {
    max: u32,
    /// In nanoseconds.
    window: u64,
}

impl Limit {
    /// At most `max` units in every window of this length.
    ///
    /// A window longer than 292 years counts as 292 years.
    ///
    /// # Errors
    ///
    /// A window of zero is no limit.
    pub const fn new(max: u32, window: Duration) -> Result<Self, InvalidLimit> {
        let nanos = window.as_nanos();
        #[allow(clippy::cast_possible_truncation)] // capped on the same line
        let nanos = if nanos > LONGEST_WINDOW as u128 { LONGEST_WINDOW } else { nanos as u64 };
        Self::from_nanos(max, nanos)
    }

    /// As [`Limit::new`], from nanoseconds.
    pub(crate) const fn from_nanos(max: u32, window: u64) -> Result<Self, InvalidLimit> {
        match window {
            0 => Err(InvalidLimit { fault: Fault::ZeroWindow }),
            _ if window > LONGEST_WINDOW => Ok(Self { max, window: LONGEST_WINDOW }),
            _ => Ok(Self { max, window }),
        }
    }

    /// `max` calls in every second: all of them may come at once, no interval is derived from it.
    #[must_use]
    pub const fn per_second(max: u32) -> Self {
        Self { max, window: 1_000_000_000 }
    }

    /// `max` calls in every minute.
    #[must_use]
    pub const fn per_minute(max: u32) -> Self {
        Self { max, window: 60 * 1_000_000_000 }
    }

    /// `max` calls in every hour.
    #[must_use]
    pub const fn per_hour(max: u32) -> Self {
        Self { max, window: 3_600 * 1_000_000_000 }
    }

    /// The most units that fit into one window.
    #[must_use]
    #[inline]
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// How long an admission counts.
    #[must_use]
    pub const fn window(&self) -> Duration {
        Duration::from_nanos(self.window)
    }

    /// The window in nanoseconds, `1..=LONGEST_WINDOW`, or 0 in the stand-in of a limiter that has no limit.
    #[inline]
    pub(crate) const fn nanos(&self) -> u64 {
        self.window
    }

    /// Whether it is this many in such a window.
    #[cfg(feature = "http")]
    pub(crate) fn is(&self, max: u32, window: Duration) -> bool {
        (self.max, self.window()) == (max, window)
    }

    /// How many units are left where so many count.
    #[inline]
    pub(crate) fn remaining(&self, live: u64) -> u32 {
        self.max.saturating_sub(u32::try_from(live).unwrap_or(u32::MAX))
    }

    /// What a refusal names where there is no limit to name: a misconfigured limiter.
    pub(crate) const NONE: Self = Self { max: 0, window: 0 };
}

/// `5/1m`, which [`FromStr`] reads back.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.max, humantime::format_duration(self.window()))
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Limit({self})")
    }
}

/// Reads `N/WINDOW` as people write it in config files: `100/m`, `5/30s`, `1000/1h 30m`.
///
/// The window is a duration as the `humantime` crate reads it, or a unit alone. There is no default unit, and `M`,
/// which would be a month, is taken for a mistyped minute and refused.
impl FromStr for Limit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Self, ParseLimitError> {
        let error = |problem| ParseLimitError { text: text.to_owned(), problem };
        let (max, window) = text.split_once('/').ok_or_else(|| error(Problem::NoWindow))?;
        let (max, window) = (max.trim(), window.trim());
        let max = max.parse().map_err(|cause| error(Problem::Max(cause)))?;
        if window.contains('M') {
            return Err(error(Problem::Month));
        }
        let lone_unit = window.starts_with(char::is_alphabetic);
        let window = if lone_unit { format!("1{window}") } else { window.to_owned() };
        let window = humantime::parse_duration(&window).map_err(|cause| error(Problem::Window(cause)))?;
        Self::new(max, window).map_err(|cause| error(Problem::Limit(cause)))
    }
}

/// The answer to values that are no limit: a window of zero, a window of no segments or too many, or a limiter with no
/// limit at all.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::Limit;
///
/// let error = Limit::new(5, Duration::ZERO).unwrap_err();
/// assert_eq!(error.to_string(), "wanted a window above zero, found a window of zero");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLimit {
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "redis"), allow(dead_code))] // two are about shared windows
enum Fault {
    ZeroWindow,
    NoLimit,
    Segments,
    TooLong,
    SharedSegments,
    SharedCost,
}

impl InvalidLimit {
    pub(crate) const NO_LIMIT: Self = Self { fault: Fault::NoLimit };
    pub(crate) const SEGMENTS: Self = Self { fault: Fault::Segments };
    pub(crate) const TOO_LONG: Self = Self { fault: Fault::TooLong };
    #[cfg(feature = "redis")]
    pub(crate) const SHARED_SEGMENTS: Self = Self { fault: Fault::SharedSegments };
    #[cfg(feature = "redis")]
    pub(crate) const SHARED_COST: Self = Self { fault: Fault::SharedCost };
}

impl fmt::Display for InvalidLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.fault {
            Fault::ZeroWindow => "wanted a window above zero, found a window of zero",
            Fault::NoLimit => "wanted at least one limit, found none",
            Fault::TooLong => {
                "wanted no window longer than the longest that the limiter was made for, found a longer one"
            }
            Fault::Segments => "wanted a window of 1 to 100000 segments, found none or more",
            Fault::SharedSegments => "wanted a shared window of 1 to 1000 segments, found none or more",
            Fault::SharedCost => {
                "wanted a call of at most 1000000 units in a shared window, of which each is a record, found one of \
                 more; a segmented window only counts them"
            }
        })
    }
}

impl std::error::Error for InvalidLimit {}

/// The answer to a text that is no limit; it quotes what was read.
///
/// ```
/// use windowlimit::Limit;
///
/// let error = "100/fortnight".parse::<Limit>().unwrap_err();
/// assert!(error.to_string().contains("`100/fortnight`"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ParseLimitError {
    text: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq)]
enum Problem {
    NoWindow,
    Max(std::num::ParseIntError),
    Month,
    Window(humantime::DurationError),
    Limit(InvalidLimit),
}

impl fmt::Display for ParseLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wanted a limit such as `100/m` or `5/30s`, found `{}`: ", self.text)?;
        match &self.problem {
            Problem::NoWindow => f.write_str("there is no `/` and no window after it"),
            Problem::Month => f.write_str("`M` is a month, write `m` for a minute and `month` for a month"),
            Problem::Max(cause) => write!(f, "what stands before `/` is no number of calls ({cause})"),
            Problem::Window(cause) => write!(f, "what stands after `/` is no window ({cause})"),
            Problem::Limit(cause) => write!(f, "{cause}"),
        }
    }
}

impl std::error::Error for ParseLimitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::NoWindow | Problem::Month => None,
            Problem::Max(cause) => Some(cause),
            Problem::Window(cause) => Some(cause),
            Problem::Limit(cause) => Some(cause),
        }
    }
}

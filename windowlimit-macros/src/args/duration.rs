//! `window = "1m30s"`, read at compile time, the way the `humantime` crate reads durations at run time.
//!
//! Parts of a number and a unit, whose sum it is: `1m30s`, `1h 30min`, `0.5s`. What must stay true: whatever both
//! accept means the same to both; a test compares them.

use std::fmt::{self, Display};

/// Nanoseconds, and every unit with its names.
const UNITS: [(u64, &[&str]); 10] = [
    (1, &["ns", "nsec", "nanos"]),
    (1_000, &["us", "µs", "usec"]),
    (1_000_000, &["ms", "msec", "millis"]),
    (SECOND, &["s", "sec", "secs", "second", "seconds"]),
    (60 * SECOND, &["m", "min", "mins", "minute", "minutes"]),
    (3_600 * SECOND, &["h", "hr", "hrs", "hour", "hours"]),
    (86_400 * SECOND, &["d", "day", "days"]),
    (7 * 86_400 * SECOND, &["w", "wk", "wks", "week", "weeks"]),
    // 30.44 and 365.25 days, as humantime has it.
    (2_630_016 * SECOND, &["M", "month", "months"]),
    (31_557_600 * SECOND, &["y", "yr", "yrs", "year", "years"]),
];

const SECOND: u64 = 1_000_000_000;

/// Why a text is no duration.
#[derive(Debug, PartialEq)]
pub(crate) enum Unreadable<'t> {
    Empty,
    /// A number was expected where this stands.
    NoNumber(&'t str),
    /// The number that has no unit.
    NoUnit(&'t str),
    /// What stands in the place of a unit.
    UnknownUnit(&'t str),
    /// Less than a nanosecond is asked for.
    TooFine(&'t str),
}

/// Reads a duration, in nanoseconds; more than fit into 64 bits, which are 584 years, count as so many.
pub(crate) fn parse(text: &str) -> Result<u64, Unreadable<'_>> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(Unreadable::Empty);
    }
    let mut sum: u64 = 0;
    while !rest.is_empty() {
        let (number, behind) =
            split(rest, |char| char.is_ascii_digit() || char == '.' || char.is_whitespace());
        let number = number.trim_end();
        if !number.starts_with(|char: char| char.is_ascii_digit()) {
            return Err(Unreadable::NoNumber(rest));
        }
        let (unit, behind) = split(behind, |char| !char.is_ascii_digit() && !char.is_whitespace());
        if unit.is_empty() {
            return Err(Unreadable::NoUnit(number));
        }
        let Some((nanos, _)) = UNITS.iter().find(|(_, names)| names.contains(&unit)) else {
            return Err(Unreadable::UnknownUnit(unit));
        };
        sum = sum.saturating_add(times(number, *nanos)?);
        rest = behind.trim_start();
    }
    Ok(sum)
}

/// A decimal number of a unit, exactly.
fn times(number: &str, unit: u64) -> Result<u64, Unreadable<'_>> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let fraction = fraction.trim_start();
    let (mut total, mut share): (u64, u64) = (0, unit);
    for digit in whole.chars().filter_map(|char| char.to_digit(10)) {
        total = total.saturating_mul(10).saturating_add(u64::from(digit));
    }
    total = total.saturating_mul(unit);
    if !fraction.starts_with(|char: char| char.is_ascii_digit()) || fraction.contains('.') {
        return Err(Unreadable::NoNumber(number));
    }
    for digit in fraction.trim_end_matches('0').chars().filter_map(|char| char.to_digit(10)) {
        // A tenth of what the digit before counts; it has to be a whole number of nanoseconds in the end.
        if share % 10 != 0 {
            return Err(Unreadable::TooFine(number));
        }
        share /= 10;
        total = total.saturating_add(share * u64::from(digit));
    }
    Ok(total)
}

/// A duration that is at least so long, in the largest unit up to the second that it fills.
pub(crate) fn rounded_up(nanos: u64) -> String {
    let (unit, names) = UNITS[..4].iter().rfind(|(unit, _)| *unit <= nanos).unwrap_or(&UNITS[0]);
    format!("{}{}", nanos.div_ceil(*unit), names[0])
}

/// The longest start whose characters are all of a kind, and the rest.
fn split(text: &str, is_inside: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|char| !is_inside(char)).unwrap_or(text.len()))
}

impl Display for Unreadable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::NoNumber(rest) => write!(f, "there is no number in `{rest}`"),
            Self::NoUnit(number) => write!(f, "`{number}` has no unit"),
            Self::UnknownUnit(unit) => {
                write!(
                    f,
                    "`{unit}` is no unit (there are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`, `w` and their long names)"
                )
            }
            Self::TooFine(number) => write!(f, "`{number}` is finer than a nanosecond"),
        }
    }
}

//! Why a change by name was not made.

use std::fmt;

use super::Limits;
use crate::watch::{Held, Unfit};

/// A change by name that was not made: nothing of it was.
///
/// ```
/// use windowlimit::{Limit, registry};
///
/// let error = registry().set_limits("logn", [Limit::per_minute(5)]).unwrap_err();
/// assert!(error.is_unknown_name() && error.to_string().starts_with("no limiter named `logn` has been called yet"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeError {
    name: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// With a name that is alike, or else with all.
    Unknown {
        meant: Option<String>,
        known: Vec<String>,
    },
    Unfit(String),
    NoReset(String),
}

impl ChangeError {
    pub(super) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let mut known: Vec<String> = known.map(str::to_owned).collect();
        known.sort_unstable();
        known.dedup();
        let meant = closest(name, &known);
        Self { name: name.to_owned(), problem: Problem::Unknown { meant, known } }
    }

    pub(super) fn unfit(name: &str, held: &Held, why: &Unfit) -> Self {
        let (place, algorithm) = (held.get().watch().place(), held.get().algorithm());
        let limits = held.get().limits();
        let about = format!("{why} (made at {place}, {algorithm:?}, limits now: {})", Limits(&limits));
        Self { name: name.to_owned(), problem: Problem::Unfit(about) }
    }

    pub(super) fn no_reset(name: &str, held: &Held, why: &Unfit) -> Self {
        let about = format!("{why} (made at {})", held.get().watch().place());
        Self { name: name.to_owned(), problem: Problem::NoReset(about) }
    }

    /// The name for which a change was asked.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether no limiter of this name has been used yet.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        matches!(self.problem, Problem::Unknown { .. })
    }

    /// Whether a limiter of this name cannot have such limits, or cannot be reset.
    #[must_use]
    pub fn is_unfit(&self) -> bool {
        matches!(self.problem, Problem::Unfit(_) | Problem::NoReset(_))
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.problem {
            Problem::Unfit(about) => write!(f, "the limits of `{name}` cannot be changed so: {about}"),
            Problem::NoReset(about) => write!(f, "`{name}` cannot be reset: {about}"),
            Problem::Unknown { meant: Some(meant), .. } => {
                write!(f, "no limiter named `{name}` has been called yet; did you mean `{meant}`?")
            }
            Problem::Unknown { known, .. } if known.is_empty() => {
                write!(f, "no limiter named `{name}` has been called yet, nor any other")
            }
            Problem::Unknown { known, .. } => {
                write!(
                    f,
                    "no limiter named `{name}` has been called yet; those that have: `{}`",
                    known.join("`, `")
                )
            }
        }
    }
}

impl std::error::Error for ChangeError {}

/// The known name that is likely to be meant: at most a third of the letters are other ones.
pub(crate) fn closest(name: &str, known: &[String]) -> Option<String> {
    let near = known.iter().map(|known| (distance(name, known), known)).min()?;
    (near.0 * 3 <= name.chars().count().max(3)).then(|| near.1.clone())
}

/// How many letters have to be put in, taken out or replaced (Levenshtein), by one row of the table at a time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

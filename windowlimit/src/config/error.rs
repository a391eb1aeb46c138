//! What is wrong with a configuration.

use std::fmt;

use super::entry::Entry;
use crate::{
    registry::Limits,
    watch::{Subject, Unfit},
};

/// A configuration that was not put in force: nothing of it was. As text it has a line for each thing that is wrong: where, what
/// was wanted there and what was found.
///
/// ```
/// use windowlimit::config::Settings;
///
/// let error = Settings::from_toml("login = '5/m'\nsearch = 'of'\nupload = 7").unwrap_err();
/// let faults: Vec<_> = error.faults().collect();
/// assert_eq!(faults.len(), 2);
/// assert_eq!(faults[0].place(), "toml:2:10");
/// assert!(faults[0].to_string().starts_with("toml:2:10: wanted `enforce`, `shadow` or `off`, found `of`"));
/// assert_eq!(faults[1].place(), "toml:3:10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// At least one.
    faults: Vec<Fault>,
    is_unreadable: bool,
}

/// One thing that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    place: String,
    message: String,
}

impl ConfigError {
    pub(super) fn unreadable(file: &str, message: String) -> Self {
        Self { faults: vec![Fault { place: file.to_owned(), message }], is_unreadable: true }
    }

    /// Limiters that cannot have what is asked for them, each with where that stands and why.
    pub(super) fn unfit<'u>(
        misfits: impl Iterator<Item = (Option<&'u Entry>, &'u str, &'u dyn Subject, &'u Unfit)>,
    ) -> Self {
        let fault = |(entry, name, subject, why): (Option<&Entry>, &str, &dyn Subject, &Unfit)| {
            let (made, algorithm) = (subject.watch().place(), subject.algorithm());
            let limits = subject.limits();
            let limits = Limits(&limits);
            let place = entry.and_then(Entry::place).map_or_else(|| format!("`{name}`"), str::to_owned);
            let message = format!("{why}: `{name}`, made at {made}, {algorithm:?}, limits now: {limits}");
            Fault { place, message }
        };
        Self { faults: misfits.map(fault).collect(), is_unreadable: false }
    }

    /// All that is wrong, by all of these.
    pub(super) fn all(errors: impl IntoIterator<Item = Self>) -> Option<Self> {
        errors.into_iter().reduce(|mut all, more| {
            all.faults.extend(more.faults);
            all.is_unreadable |= more.is_unreadable;
            all
        })
    }

    /// Everything that is wrong, in the order of the file, and then of the environment.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter()
    }

    /// Whether the file could not be read.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }
}

impl Fault {
    /// Where it is: `file:line:column`, or a variable of the environment.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What was wanted there, and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if place > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ConfigError {}

/// Where something stands: by the offset in the text, or by the name it is asked for.
type PlaceOf<'p> = &'p dyn Fn(usize, &str) -> Option<String>;

/// What is found wrong while something is read.
pub(super) struct Faults<'p> {
    place_of: PlaceOf<'p>,
    found: Vec<(usize, Fault)>,
}

impl<'p> Faults<'p> {
    pub(super) fn new(place_of: PlaceOf<'p>) -> Self {
        Self { place_of, found: Vec::new() }
    }

    /// Something is wrong with what is asked for a name, at this offset.
    pub(super) fn add(&mut self, at: usize, name: &str, message: String) {
        let place = self.place(at, name).unwrap_or_else(|| format!("`{name}`"));
        self.found.push((at, Fault { place, message }));
    }

    /// Where in a file or the environment that is.
    pub(super) fn place(&self, at: usize, name: &str) -> Option<String> {
        (self.place_of)(at, name)
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Adds those of the others that are at such offsets.
    pub(super) fn extend(&mut self, others: Self, wanted: impl Fn(usize) -> bool) {
        self.found.extend(others.found.into_iter().filter(|(at, _)| wanted(*at)));
    }

    /// All of them in the order of the text, if there are any.
    pub(super) fn into_error(mut self) -> Option<ConfigError> {
        self.found.sort_by_key(|(at, _)| *at);
        let faults: Vec<_> = self.found.into_iter().map(|(_, fault)| fault).collect();
        (!faults.is_empty()).then_some(ConfigError { faults, is_unreadable: false })
    }
}

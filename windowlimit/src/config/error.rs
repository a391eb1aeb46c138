//! What is wrong with a configuration.

use std::fmt;

use super::entry::Entry;
use crate::{
    registry::Limits,
    watch::{Subject, Unfit},
};

/// A configuration that was not put in force: nothing of it was. As text it says where something is wrong, what was wanted
/// there and what was found.
///
/// ```
/// use windowlimit::config::Settings;
///
/// let error = Settings::from_toml("login = '5/m'\nsearch = 'of'").unwrap_err();
/// assert!(error.to_string().starts_with("toml:2:10: wanted `enforce`, `shadow` or `off`, found `of`"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    place: String,
    message: String,
    is_unreadable: bool,
}

impl ConfigError {
    pub(super) fn at(place: String, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), is_unreadable: false }
    }

    pub(super) fn unreadable(file: &str, message: String) -> Self {
        Self { place: file.to_owned(), message, is_unreadable: true }
    }

    pub(super) fn unfit(entry: Option<&Entry>, name: &str, subject: &dyn Subject, why: &Unfit) -> Self {
        let (made, algorithm) = (subject.watch().place(), subject.algorithm());
        let limits = subject.limits();
        let limits = Limits(&limits);
        let place = entry.and_then(Entry::place).map_or_else(|| format!("`{name}`"), str::to_owned);
        let message = format!("{why}: `{name}`, made at {made}, {algorithm:?}, limits now: {limits}");
        Self::at(place, message)
    }

    /// Where something is wrong: `file:line:column`, or a variable of the environment.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Whether the file could not be read.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ConfigError {}

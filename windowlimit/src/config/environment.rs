//! Variables of the environment.

use super::{ConfigError, entry::Entry};

pub(super) const PREFIX: &str = "WINDOWLIMIT_";

/// The variable of a name.
pub(super) fn variable(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' });
    PREFIX.chars().chain(letters.flat_map(char::to_uppercase)).collect()
}

pub(super) fn read(name: &str, value: &str) -> Result<Entry, ConfigError> {
    let place = format!("the variable {name}");
    match Entry::read(value) {
        Ok(entry) => Ok(entry.at(place)),
        Err(message) => Err(ConfigError::at(place, message)),
    }
}

//! Variables of the environment.

pub(super) const PREFIX: &str = "WINDOWLIMIT_";

/// The variable of a name.
pub(super) fn variable(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' });
    PREFIX.chars().chain(letters.flat_map(char::to_uppercase)).collect()
}

//! Names and numbers as header fields can carry them.

use std::{fmt::Write, time::Duration};

use sfv::{Integer, StringRef};

use crate::limit::Limit;

/// Whole seconds, rounded up: whoever comes back then is not too early. Of a time above zero that is at least 1.
pub(super) fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// A number of a structured field; one that is too large for it, which is a time of millions of years, as the largest.
pub(super) fn integer(number: u64) -> Integer {
    Integer::try_from(number).unwrap_or(Integer::MAX)
}

/// What a policy is called: as the limiter or, if that has several, with the limit behind the name, since the fields are to
/// tell them apart.
///
/// A string in a structured field holds the visible characters of ASCII and the space. All others are written as in a URL,
/// byte for byte, and so is `%`, lest two names become one. Quotes are not touched here: that is for the serializer.
pub(super) fn policy_name(name: &str, limit: &Limit, is_one_of_several: bool) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'%' | ..b' ' | 0x7f.. => {
                // Writing to a string does not fail.
                let _ = write!(text, "%{byte:02X}");
            }
            _ => text.push(char::from(byte)),
        }
    }
    if is_one_of_several {
        let _ = write!(text, " {limit}");
    }
    text
}

/// The name as a structured field has it. There is none that it cannot have, after [`policy_name`].
pub(super) fn quoted(name: &str) -> &StringRef {
    StringRef::from_str(name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{policy_name, quoted, seconds};
    use crate::limit::Limit;
    use std::time::Duration;

    #[test]
    fn seconds_are_rounded_up() {
        let nano = Duration::from_nanos(1);
        assert_eq!(seconds(Duration::ZERO), 0);
        assert_eq!(seconds(nano), 1);
        assert_eq!(seconds(Duration::from_secs(60)), 60);
        assert_eq!(seconds(Duration::from_secs(60) + nano), 61);
    }

    #[test]
    fn every_name_can_be_written_and_no_two_become_one() {
        let limit = Limit::per_minute(5);
        let every: String = (char::from(0)..=char::from(255)).chain(['€', '🦀']).collect();
        let text = policy_name(&every, &limit, false);
        assert_eq!(quoted(&text).as_str(), text);
        assert!(text.starts_with("%00%01") && text.contains(" !\"#$%25&") && text.ends_with("%F0%9F%A6%80"));
        assert_ne!(policy_name("a%20b", &limit, false), policy_name("a b", &limit, false));
        assert_eq!(policy_name("api", &limit, true), "api 5/1m");
    }
}

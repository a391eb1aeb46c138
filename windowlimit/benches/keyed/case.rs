//! The limits that are measured.

use std::{array, time::Duration};

use super::subjects::{Decide, Key, NAMES, subject};

/// What comes of the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Five in a time in which a key is called about once, if all are called alike.
    Admit,
    /// One in an hour.
    Refuse,
}

impl Case {
    pub(crate) fn limit(self) -> u32 {
        match self {
            Self::Admit => 5,
            Self::Refuse => 1,
        }
    }

    fn window(self, keys: usize) -> Duration {
        match self {
            Self::Admit => Duration::from_nanos(100 * keys as u64),
            Self::Refuse => Duration::from_secs(3600),
        }
    }

    /// All subjects, for so many keys.
    pub(crate) fn subjects<K: Key>(self, keys: usize) -> [Decide<K>; NAMES.len()] {
        array::from_fn(|place| subject(place, self.limit(), self.window(keys), keys))
    }
}

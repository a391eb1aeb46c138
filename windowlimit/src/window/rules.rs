//! What a decision of a window that is held alone goes by.

use crate::{algorithm::Algorithm, limit::Limit};

/// The limits of a call, and what is to be known of the limits before them.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'l> {
    pub(crate) algorithm: Algorithm,
    /// At least one, each of which can fit the call.
    pub(crate) limits: &'l [Limit],
    /// The longest window of any limit: nothing counts for longer.
    pub(crate) longest: u64,
    /// No decision is made before this instant.
    pub(crate) since: u64,
    /// What was admitted up to this instant had expired for all limits when they were last changed.
    pub(crate) forgotten: u64,
    /// The limit that all keys had at first, if it was one.
    pub(crate) first: Option<Limit>,
    /// Whether it is still the only one.
    pub(crate) is_plain: bool,
}

impl Rules<'_> {
    /// The limits and, if none of them has the longest window, one that has it and that nothing exceeds.
    pub(crate) fn limits_and_longest(&self) -> impl Iterator<Item = Limit> + '_ {
        let is_there = self.limits.iter().any(|limit| limit.nanos() == self.longest);
        let longest = if is_there { None } else { Limit::from_nanos(u32::MAX, self.longest).ok() };
        self.limits.iter().copied().chain(longest)
    }
}

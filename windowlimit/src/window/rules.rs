//! What a decision of a window that is held alone goes by.

use std::slice;

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

/// What a call of one unit goes by where there is one limit, and no window is longer than its own: most calls.
#[derive(Clone, Copy)]
pub(crate) struct Single<'l> {
    /// It can fit the call.
    pub(crate) limit: &'l Limit,
    /// As in [`Rules`].
    pub(crate) since: u64,
    pub(crate) forgotten: u64,
}

impl<'l> Single<'l> {
    /// The same for calls of any kind.
    pub(crate) fn rules(&self) -> Rules<'l> {
        Rules {
            algorithm: Algorithm::Exact,
            limits: slice::from_ref(self.limit),
            longest: self.limit.nanos(),
            since: self.since,
            forgotten: self.forgotten,
            first: None,
            is_plain: false,
        }
    }
}

/// What an admission found.
#[derive(Clone, Copy)]
pub(crate) struct Claimed {
    /// The instant at which it was entered.
    pub(crate) at: u64,
    /// Whether nothing counted in the window any more.
    pub(crate) was_idle: bool,
}

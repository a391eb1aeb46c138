//! What the keys of a limiter go by.

use crate::{limit::Limit, limits::Limits};

/// What holds for all keys until the limits are changed.
#[derive(Clone)]
pub(super) struct Policy {
    pub(super) limits: Limits,
    /// The longest window of any limit; also of those that come with a call.
    pub(super) longest: u64,
    pub(super) since: u64,
    pub(super) forgotten: u64,
    pub(super) voided: u64,
    /// The limit that all keys had at first, if it was one.
    pub(super) first: Option<Limit>,
    pub(super) is_changed: bool,
    /// Whether there is one limit, that has room for a call, and no longer window.
    pub(super) is_single: bool,
}

impl Policy {
    /// That of a new limiter.
    pub(super) const fn new(limits: Limits, longest: u64) -> Self {
        let first = if limits.is_one() { Some(*limits.first()) } else { None };
        let is_single = Self::is_single(&limits, longest);
        Self { limits, longest, since: 0, forgotten: 0, voided: 0, first, is_changed: false, is_single }
    }

    pub(super) const fn is_single(limits: &Limits, longest: u64) -> bool {
        limits.are_plain() && limits.first().nanos() == longest
    }
}

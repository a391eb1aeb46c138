//! An admission to several windows, as the caller holds it.

use std::{fmt, time::Duration};

use crate::{decider::Decider, store::permit::SharedPermit, usage::Usage};

/// An admission by limiters that decide [`Together`](crate::Together): what was left behind it in each of their windows, by
/// the very decision that made it.
///
/// It is a receipt and guards nothing: what it took stays charged when it is dropped, and leaves with its windows.
/// [`refund`](Self::refund) gives it back before.
#[must_use = "a permit that is not looked at has still been charged; `check` admits without one"]
pub struct TogetherPermit<'l> {
    parts: Box<[SharedPermit<'l>]>,
}

impl<'l> TogetherPermit<'l> {
    pub(super) fn new(parts: Vec<SharedPermit<'l>>) -> Self {
        Self { parts: parts.into() }
    }

    /// What each limiter has admitted, in their order.
    pub fn parts(&self) -> &[SharedPermit<'l>] {
        &self.parts
    }

    /// Who has admitted the call: the store, or what stood in for it. Where some stood in by a window and others let
    /// everything pass, the windows have decided.
    #[must_use]
    pub fn decider(&self) -> Decider {
        let mut deciders = self.counted().map(SharedPermit::decider);
        let first = deciders.next().unwrap_or(Decider::Uncounted);
        deciders.find(|&decider| decider == Decider::Local).unwrap_or(first)
    }

    /// Those that were counted: not of limiters that are off, or in shadow and full.
    fn counted(&self) -> impl Iterator<Item = &SharedPermit<'l>> {
        self.parts.iter().filter(|part| part.decider() != Decider::Uncounted)
    }

    /// How full the windows were right after this admission: of all limits of all limiters that counted it, the one with the
    /// least left. If none did, as if nothing were live.
    #[must_use]
    pub fn usage(&self) -> Usage {
        if self.counted().next().is_none() {
            return Usage::tightest(self.parts.iter().map(SharedPermit::usage));
        }
        Usage::tightest(self.counted().map(SharedPermit::usage))
    }

    /// How many units were left right after this admission, to all processes; of all limits of all limiters, of the one with
    /// the least left.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        self.usage().remaining()
    }

    /// How long after this admission the oldest live unit of that limit leaves, so that more is left.
    #[must_use]
    pub fn reset_after(&self) -> Duration {
        self.usage().reset_after()
    }

    /// Gives back what this call took, in every window, as [`SharedPermit::refund`] does in one.
    pub fn refund(self) {
        self.parts.into_iter().for_each(SharedPermit::refund);
    }
}

impl fmt::Debug for TogetherPermit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TogetherPermit").field("parts", &self.parts).finish()
    }
}

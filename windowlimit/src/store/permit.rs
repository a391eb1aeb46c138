//! An admission to a shared window, as the caller holds it.

use std::{fmt, time::Duration};

use super::{key::KeyText, limiter::SharedLimiter};
use crate::{algorithm::Algorithm, decider::Decider, permit::Permit, usage::Usage};

/// An admission to a window that is shared: what was left behind it, by the very decision that made it.
///
/// It is a receipt and guards nothing: what it took stays charged when it is dropped, and leaves with its window.
/// [`refund`](Self::refund) gives it back before.
#[must_use = "a permit that is not looked at has still been charged; `check` admits without one"]
pub struct SharedPermit<'l> {
    pub(super) limiter: &'l SharedLimiter,
    pub(super) usage: Usage,
    pub(super) cost: u32,
    pub(super) source: Source<'l>,
}

/// Who admitted a call.
pub(super) enum Source<'l> {
    /// The store, at this instant of its clock; with what was entered for it in the local window, if anything was, and with
    /// what it told of each limit.
    Store {
        key: KeyText,
        at: i64,
        local: Option<Permit<'l>>,
        #[cfg_attr(not(feature = "http"), allow(dead_code))] // nothing else tells of each
        told: Box<[Usage]>,
    },
    Local(Permit<'l>),
    Allowed,
    Uncounted,
}

impl SharedPermit<'_> {
    /// The name of the limiter.
    #[must_use]
    pub fn name(&self) -> &str {
        self.limiter.name()
    }

    /// The kind of window that admitted the call.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.limiter.algorithm()
    }

    /// Who has admitted the call: the store, or what stood in for it.
    #[must_use]
    pub fn decider(&self) -> Decider {
        match self.source {
            Source::Store { .. } => Decider::Store,
            Source::Local(_) => Decider::Local,
            Source::Allowed => Decider::Allowed,
            Source::Uncounted => Decider::Uncounted,
        }
    }

    /// How many units the call took: 0 if it was not counted.
    #[must_use]
    pub fn cost(&self) -> u32 {
        match self.source {
            Source::Uncounted | Source::Allowed => 0,
            _ => self.cost,
        }
    }

    /// How many units were left right after this admission, to all processes; of several limits, of the one with the least
    /// left.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        self.usage.remaining()
    }

    /// How long after this admission the oldest live unit leaves, so that more is left.
    #[must_use]
    pub fn reset_after(&self) -> Duration {
        self.usage.reset_after()
    }

    /// How full the window was right after this admission. Of a call that nobody counted, as if nothing were live.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// How full the window was for each limit, as the store told it.
    #[cfg(feature = "http")]
    pub(crate) fn told(&self) -> &[Usage] {
        if let Source::Store { told, .. } = &self.source { told } else { &[] }
    }

    /// The admission to the window of this process that stood in for the store.
    #[cfg(feature = "http")]
    pub(crate) fn stand_in(&self) -> Option<&Permit<'_>> {
        if let Source::Local(permit) = &self.source { Some(permit) } else { None }
    }

    /// Gives back what this call took, as long as it counts: as many records of its very instant as it took units, which are
    /// its own or as good as those, or nothing.
    ///
    /// It is sent to the store before all that this process asks later, and nobody waits for it: it blocks nothing, and may
    /// be called in async code. If the store is away by then, the units stay charged.
    pub fn refund(self) {
        match self.source {
            Source::Uncounted | Source::Allowed => {}
            Source::Local(permit) => permit.refund(),
            Source::Store { key, at, local, .. } => {
                if let Some(permit) = local {
                    permit.refund();
                }
                if self.cost > 0 {
                    self.limiter.give_back(&key, self.cost, at);
                }
            }
        }
    }
}

impl fmt::Debug for SharedPermit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPermit")
            .field("limiter", &self.name())
            .field("cost", &self.cost())
            .field("remaining", &self.remaining())
            .field("reset_after", &self.reset_after())
            .field("decider", &self.decider())
            .finish()
    }
}

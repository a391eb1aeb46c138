//! What is asked for those in line, and what is known of their turns.

use crate::{
    decider::Decider,
    limit::Limit,
    line::{Call, Foresee, Ticket, Turn},
    store::{
        error::StoreError,
        memory::{About, Moment},
        refusal::{Refusal, Snapshot},
    },
    usage::Usage,
};

/// A refusal of the first in line: nobody gets that cost under those limits before that turn.
pub(crate) struct Known {
    pub(crate) turn: Turn,
    /// When to ask again.
    pub(crate) until: u64,
    pub(crate) cost: u32,
    pub(crate) limits: Box<[Limit]>,
    /// The state of those limits, at this instant or later.
    pub(crate) snapshot: Snapshot,
    pub(crate) since: u64,
    pub(crate) decider: Decider,
    /// Where a window stands in for the store: why, and when to see whether that is back.
    pub(crate) without: Option<(StoreError, u64)>,
}

/// Who stands in line.
pub(super) struct Caller {
    /// By the limits of which limiter, if it has none of its own: its place in memory, from which it does not move while it is
    /// borrowed by those who wait.
    pub(super) limiter: usize,
    /// Behind so many it would wait, and nobody was known to when it came.
    pub(super) bound: usize,
}

/// A question about the first in line, and perhaps some behind it.
pub(crate) struct UnderWay {
    pub(crate) calls: Vec<(Ticket, u32)>,
    pub(crate) limits: Box<[Limit]>,
    pub(crate) about: About,
    pub(crate) sent: Moment,
    /// When it was sent, on the clock of the limiter.
    pub(crate) at: u64,
    /// Whether the window was changed since, so that turns may come sooner.
    pub(super) is_disturbed: bool,
}

/// An admission.
pub(crate) struct Grant {
    pub(crate) told: Box<[Usage]>,
    pub(super) cost: u32,
    /// On the clock of the store.
    pub(crate) at: i64,
    pub(crate) limits: Box<[Limit]>,
    /// Whether it was known to wait.
    pub(crate) has_waited: bool,
}

impl UnderWay {
    pub(crate) fn new(limits: Box<[Limit]>, about: About, sent: Moment, at: u64) -> Self {
        Self { calls: Vec::new(), limits, about, sent, at, is_disturbed: false }
    }

    pub(crate) fn cost(&self) -> u32 {
        self.calls.iter().map(|(_, cost)| cost).sum()
    }
}

impl Known {
    /// What a refusal says that was asked for at this instant; it is asked again so much later than it says.
    pub(crate) fn of(
        refusal: Refusal,
        asked_at: u64,
        later: u64,
        cost: u32,
        limits: Box<[Limit]>,
        decider: Decider,
    ) -> Self {
        let Refusal { by, retry_after, snapshot } = refusal;
        let turn = Turn { at: asked_at.saturating_add(retry_after), limit: by };
        let until = turn.at.saturating_add(later);
        Self { turn, until, cost, limits, snapshot, since: asked_at, decider, without: None }
    }

    pub(super) fn holds_for(&self, call: &Call) -> bool {
        self.cost <= call.cost && call.limits.as_ref() == Some(&self.limits)
    }
}

/// Turns of which nothing is known, but that they do not come before this instant. (Of a fixed window nobody knows when it
/// began, and twice as many may have their turns around its end.)
pub(super) struct NotBefore(pub(super) u64);

impl Foresee for NotBefore {
    fn turn(&mut self, call: &Call, now: u64) -> Option<Turn> {
        let limit = call.limits.as_deref().and_then(<[Limit]>::first).copied();
        Some(Turn { at: self.0.max(now), limit: limit.unwrap_or(Limit::NONE) })
    }

    fn enter(&mut self, _: &Call, _: u64) {}
}

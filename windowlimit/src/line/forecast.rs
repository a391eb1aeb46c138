//! What is foreseen: a copy of the window, on which those who wait have their turns ahead of time (W7).

use crate::{
    algorithm::Algorithm,
    clock::LAST_INSTANT,
    limit::Limit,
    line::Call,
    window::{rules::Rules, solo::Solo},
};

/// The earliest instant at which a call can be admitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) at: u64,
    /// The limit that has room for it last.
    pub(crate) limit: Limit,
}

impl Turn {
    pub(crate) const NEVER: Self = Self { at: u64::MAX, limit: Limit::NONE };
}

/// A window that can be played on.
pub(crate) trait Foresee: Send + Sync {
    /// The turn of a call that comes now, after all that were entered; `None` if it can never fit.
    fn turn(&mut self, call: &Call, now: u64) -> Option<Turn>;

    /// Lets the call have its turn.
    fn enter(&mut self, call: &Call, at: u64);
}

/// The copy of a window.
pub(crate) struct Forecast<S> {
    window: S,
    terms: Terms,
    /// The latest turn.
    last: u64,
}

/// What decisions of the window go by: see [`Rules`].
pub(crate) struct Terms {
    pub(crate) algorithm: Algorithm,
    pub(crate) limits: Vec<Limit>,
    pub(crate) longest: u64,
    pub(crate) since: u64,
    pub(crate) forgotten: u64,
    pub(crate) first: Option<Limit>,
    pub(crate) is_plain: bool,
}

impl Terms {
    pub(crate) fn of(rules: &Rules<'_>) -> Self {
        let Rules { algorithm, limits, longest, since, forgotten, first, is_plain } = *rules;
        Self { algorithm, limits: limits.to_vec(), longest, since, forgotten, first, is_plain }
    }

    /// The rules of a call that can fit.
    fn rules<'t>(&'t self, call: &'t Call) -> Option<Rules<'t>> {
        let limits = call.limits.as_deref().unwrap_or(&self.limits);
        let fits = !limits.is_empty()
            && limits.iter().all(|limit| call.cost <= limit.max() && limit.nanos() <= self.longest);
        fits.then(|| Rules {
            algorithm: self.algorithm,
            limits,
            longest: self.longest,
            since: self.since,
            forgotten: self.forgotten,
            first: self.first,
            is_plain: self.is_plain && call.limits.is_none(),
        })
    }
}

impl<S> Forecast<S> {
    pub(crate) fn new(window: S, terms: Terms) -> Self {
        Self { window, terms, last: 0 }
    }
}

#[cfg(feature = "redis")]
impl Forecast<crate::window::solo::Exact> {
    /// Of a window that is not known, but that it has no room before this instant: as if it were empty then. No turn comes
    /// sooner than that. The limits come with the calls.
    pub(crate) fn not_before(at: u64) -> Self {
        let terms = Terms {
            algorithm: Algorithm::Exact,
            limits: Vec::new(),
            longest: u64::MAX,
            since: 0,
            forgotten: 0,
            first: None,
            is_plain: false,
        };
        Self { window: Solo::EMPTY, terms, last: at }
    }
}

impl<S: Solo + Send + Sync> Foresee for Forecast<S> {
    fn turn(&mut self, call: &Call, now: u64) -> Option<Turn> {
        let rules = self.terms.rules(call)?;
        let earliest = now.max(self.last).min(LAST_INSTANT);
        // Asked first, since a call that is admitted would be entered; one that costs nothing is not.
        let usage = self.window.usage(&rules, earliest);
        if call.cost > 0 && usage.remaining() >= call.cost {
            return Some(Turn { at: earliest, limit: *usage.tightest_limit() });
        }
        Some(match self.window.claim(&rules, earliest, call.cost) {
            Ok(_) => Turn { at: earliest, limit: *usage.tightest_limit() },
            Err(full) => Turn { at: earliest.saturating_add(full.retry_after), limit: full.limit },
        })
    }

    fn enter(&mut self, call: &Call, at: u64) {
        self.last = self.last.max(at);
        if let Some(rules) = self.terms.rules(call) {
            // At the end of time there may be no room: what is foreseen there never comes.
            let _ = self.window.claim(&rules, at.min(LAST_INSTANT), call.cost);
        }
    }
}

//! A shared limiter as it is watched and changed from outside. What it is asked here it answers by itself: nothing waits for
//! the store.

use super::{call::Decided, limiter::SharedLimiter, store::RedisStore};
use crate::{
    algorithm::Algorithm,
    error::RateLimitExceeded,
    gate::Gate,
    limit::Limit,
    usage::Usage,
    watch::{Book, Heavy, Kept, Mode, Outcome, Subject, Unfit, Watch},
};

use super::permit::SharedPermit;

impl SharedLimiter {
    /// The limiter of an attribute, which enters itself in the registry when it is first called.
    pub(crate) fn unseen(self) -> Self {
        self.gate.set(Gate::UNSEEN);
        self
    }

    /// Enters it, if this is its first call.
    pub(crate) fn meet(&'static self) {
        if self.gate.has(Gate::UNSEEN) {
            Book::global().meet(&Kept::Static(self));
        }
    }

    /// The permit of a call while the limiter is off.
    pub(super) fn while_off(&self) -> Option<SharedPermit<'_>> {
        (Mode::of(&self.gate) == Mode::Off).then(|| self.uncounted())
    }

    /// Whether it refuses what does not fit: it is neither off nor in shadow.
    pub(super) fn is_enforced(&self) -> bool {
        Mode::of(&self.gate) == Mode::Enforce
    }

    /// Counts and reports.
    pub(super) fn note(&self, outcome: Outcome<'_>) {
        self.watch.note(&self.gate, self.name, outcome);
    }

    /// What comes of a decision, as the limiter was told from outside; counted and reported.
    pub(super) fn judge<'l>(&'l self, decided: Decided<'l>) -> Decided<'l> {
        let judged: Result<_, RateLimitExceeded> =
            self.watch.judge(&self.gate, self.name, || decided.map(Some));
        judged.map(|permit| permit.unwrap_or_else(|| self.uncounted()))
    }
}

impl Subject for SharedLimiter {
    fn name(&self) -> &'static str {
        self.name
    }

    fn gate(&self) -> &Gate {
        &self.gate
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    fn limits(&self) -> Vec<Limit> {
        SharedLimiter::limits(self)
    }

    fn declared(&self) -> Vec<Limit> {
        self.policy.first().limits.as_slice().to_vec()
    }

    fn accepts(&self, limits: &[Limit]) -> Result<(), Unfit> {
        let declared = self.policy.first();
        if declared.longest > 0 && declared.limits.fault().is_some() {
            return Err(Unfit::OfCalls);
        }
        self.checked(limits)?;
        Ok(())
    }

    fn set_limits(&self, limits: &[Limit]) -> Result<(), Unfit> {
        self.accepts(limits)?;
        Ok(SharedLimiter::set_limits(self, limits.iter().copied())?)
    }

    fn resets(&self) -> Result<(), Unfit> {
        Err(Unfit::OnStore)
    }

    fn reset(&self) {}

    fn disturb(&self) {
        self.disturb_lines();
    }

    /// What is on a store is the same in all scopes.
    #[cfg(feature = "test-util")]
    fn appear(&self) {}

    fn usage(&self) -> Option<Usage> {
        None
    }

    fn keys(&self) -> Option<usize> {
        Some(self.local.len())
    }

    fn heaviest(&self, _: usize) -> Vec<Heavy> {
        Vec::new()
    }

    fn degraded(&self) -> Option<u64> {
        Some(SharedLimiter::degraded(self))
    }

    fn store(&self) -> Option<&RedisStore> {
        Some(&self.store)
    }
}

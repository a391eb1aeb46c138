//! A shared limiter as it is watched and changed from outside. What it is asked here it answers by itself: nothing waits for
//! the store.

use super::{call::Decided, limiter::SharedLimiter, store::RedisStore};
use crate::{
    algorithm::Algorithm,
    gate::Gate,
    limit::Limit,
    usage::Usage,
    watch::{Book, Heavy, Kept, Mode, Outcome, Subject, Tally, Unfit, Watch},
};

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

    pub(super) fn mode(&self) -> Mode {
        Mode::of(&self.gate)
    }

    /// Counts and reports.
    pub(super) fn note(&self, outcome: Outcome<'_>) {
        self.tally.note(&self.gate, self.name, outcome);
    }

    /// What comes of a decision about a call that began in this mode; counted and reported. An admission stays one: it was
    /// charged.
    pub(super) fn settle<'l>(&'l self, decided: Decided<'l>, mode: Mode) -> Decided<'l> {
        let refusal = match decided {
            Ok(permit) => {
                self.note(Outcome::Admitted);
                return Ok(permit);
            }
            Err(refusal) => refusal,
        };
        if mode == Mode::Enforce {
            self.note(Outcome::Refused(&refusal));
            return Err(refusal);
        }
        self.note(Outcome::LetThrough(refusal.reason(), Some(&refusal)));
        Ok(self.uncounted())
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

    fn tally(&self) -> &Tally {
        &self.tally
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

//! A limiter as it is watched and changed from outside, and its doubles in the scopes of tests.

use super::Limiter;
use crate::{
    algorithm::Algorithm,
    clock::Clock,
    gate::Gate,
    limit::Limit,
    limits::Limits,
    usage::Usage,
    watch::{Heavy, Subject, Tally, Unfit, Watch},
};

impl<C> Limiter<C> {
    pub(crate) const fn watched(&self) -> (&Gate, &Watch, &Tally) {
        (&self.gate, &self.watch, &self.tally)
    }
}

impl<C: Clock + Send + Sync> Subject for Limiter<C> {
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
        self.timeline.algorithm()
    }

    fn limits(&self) -> Vec<Limit> {
        self.timeline.limits()
    }

    fn declared(&self) -> Vec<Limit> {
        self.timeline.limits_at_first().as_slice().to_vec()
    }

    fn accepts(&self, limits: &[Limit]) -> Result<(), Unfit> {
        Ok(self.timeline.accepts(&Limits::shared(limits))?)
    }

    fn set_limits(&self, limits: &[Limit]) -> Result<(), Unfit> {
        self.timeline.set_limits(&self.clock, Limits::shared(limits))?;
        Self::disturb(self);
        Ok(())
    }

    fn reset(&self) {
        self.timeline.reset(&self.clock);
        Self::disturb(self);
    }

    #[cfg(feature = "test-util")]
    fn appear(&self) {
        drop(self.double());
    }

    fn usage(&self) -> Option<Usage> {
        Some(self.timeline.usage(&self.clock))
    }

    fn keys(&self) -> Option<usize> {
        None
    }

    fn disturb(&self) {
        Self::disturb(self);
    }

    fn heaviest(&self, _: usize) -> Vec<Heavy> {
        Vec::new()
    }
}

#[cfg(feature = "test-util")]
mod doubles {
    use std::{ptr, sync::Arc};

    use crate::{
        gate::Gate,
        limiter::Limiter,
        sync::Mutex,
        watch::{
            Tally,
            scope::{World, WorldClock},
        },
        window::timeline::Timeline,
    };

    impl<C> Limiter<C> {
        /// The one that a call in the scope of a test is for.
        #[inline]
        pub(crate) fn double(&self) -> Option<Arc<Limiter<WorldClock>>> {
            if self.gate.is_clear() { None } else { self.double_here() }
        }

        #[cold]
        fn double_here(&self) -> Option<Arc<Limiter<WorldClock>>> {
            self.watch.meet(&self.gate);
            if self.gate.has(Gate::SCOPED) { Some(self.double_in(&World::current()?)) } else { None }
        }

        /// The one that an admission is from.
        pub(in crate::limiter) fn double_of(&self, voided: u64) -> Option<Arc<Limiter<WorldClock>>> {
            Some(self.double_in(&World::of(voided)?))
        }

        fn double_in(&self, world: &Arc<World>) -> Arc<Limiter<WorldClock>> {
            world.double(ptr::from_ref(self).cast::<()>().addr(), || {
                let limits = self.timeline.limits_at_first().clone();
                let algorithm = self.timeline.algorithm();
                let mut timeline = Timeline::of_world(limits, world.voided());
                timeline.set_algorithm(algorithm);
                Limiter {
                    // Never at once: the permits of that way are of no world.
                    gate: Gate::at_first(false, false),
                    timeline,
                    line: Mutex::new(None),
                    max_waiters: self.max_waiters,
                    name: self.name,
                    watch: self.watch.of_double(),
                    tally: Tally::new(),
                    clock: world.clock().clone(),
                }
            })
        }
    }
}

//! A keyed limiter as it is watched and changed from outside, and its doubles in the scopes of tests.

use super::{Digest, KeyedLimiter, table::Table};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    gate::Gate,
    limit::Limit,
    limits::Limits,
    usage::Usage,
    watch::{Heavy, Subject, Tally, Unfit, Watch},
    window::{rules::Rules, solo::Solo},
};

impl<C> KeyedLimiter<C> {
    /// Tells nobody of its decisions, whatever features there are: it belongs to another limiter, which does.
    #[cfg(feature = "redis")]
    pub(crate) fn be_silent(&self) {
        self.gate.clear(Gate::TOLD);
    }

    pub(crate) const fn watched(&self) -> (&Gate, &Watch, &Tally) {
        (&self.gate, &self.watch, &self.tally)
    }
}

impl<C: Clock> KeyedLimiter<C> {
    /// The fullest windows of a table. A clock is read for each shard, outside of its lock.
    fn heaviest_in<S: Solo>(&self, table: &Table<S>, most: usize) -> Vec<Heavy> {
        let policy = self.policy.load();
        let rules = self.rules(&policy, policy.limits.as_slice(), true);
        let reading = instant(&self.clock);
        let mut heaviest: Vec<(Digest, Usage)> = Vec::new();
        table.look_at_all(|digest, window, floor| {
            let rules = Rules { since: rules.since.max(floor), ..rules };
            let usage = window.usage(&rules, reading);
            heaviest.push((digest, usage));
            // Twice as many as are wanted are kept before the lesser half is let go: that is a step for each key.
            if heaviest.len() >= most.saturating_mul(2).max(64) {
                keep_heaviest(&mut heaviest, most);
            }
        });
        keep_heaviest(&mut heaviest, most);
        let heaviest = heaviest.into_iter().map(|(digest, usage)| Heavy { tag: digest.tag(), usage });
        let mut heaviest: Vec<Heavy> = heaviest.collect();
        heaviest.sort_by_key(|heavy| (std::cmp::Reverse(heavy.usage.live()), heavy.tag));
        heaviest
    }
}

fn keep_heaviest(heaviest: &mut Vec<(Digest, Usage)>, most: usize) {
    heaviest.retain(|(_, usage)| usage.live() > 0);
    if most < heaviest.len() {
        heaviest.select_nth_unstable_by_key(most, |(digest, usage)| {
            (std::cmp::Reverse(usage.live()), digest.token())
        });
        heaviest.truncate(most);
    }
}

impl<C: Clock + Send + Sync> Subject for KeyedLimiter<C> {
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
        self.policy.load().limits.as_slice().to_vec()
    }

    fn declared(&self) -> Vec<Limit> {
        self.policy.first().limits.as_slice().to_vec()
    }

    fn accepts(&self, limits: &[Limit]) -> Result<(), Unfit> {
        let declared = self.policy.first();
        if declared.longest > 0 && declared.limits.fault().is_some() {
            return Err(Unfit::OfCalls);
        }
        self.lengths(limits)?;
        Ok(Limits::shared(limits).fault().map_or(Ok(()), Err)?)
    }

    fn set_limits(&self, limits: &[Limit]) -> Result<(), Unfit> {
        self.accepts(limits)?;
        Ok(self.keep(limits)?)
    }

    fn reset(&self) {
        self.forget_all();
    }

    #[cfg(feature = "test-util")]
    fn appear(&self) {
        drop(self.double());
    }

    fn usage(&self) -> Option<Usage> {
        None
    }

    fn keys(&self) -> Option<usize> {
        Some(in_table!(self, |table| table.len()))
    }

    fn disturb(&self) {
        self.disturb_all();
    }

    fn heaviest(&self, most: usize) -> Vec<Heavy> {
        in_table!(self, |table| self.heaviest_in(table, most))
    }
}

#[cfg(feature = "test-util")]
mod doubles {
    use std::{ptr, sync::Arc};

    use crate::{
        gate::Gate,
        keyed::{KeyedLimiter, Policy, Table},
        sync::{Latest, OnceCell},
        watch::{
            Tally,
            scope::{World, WorldClock},
        },
    };

    impl<C> KeyedLimiter<C> {
        /// The one that a call in the scope of a test is for.
        #[inline]
        pub(crate) fn double(&self) -> Option<Arc<KeyedLimiter<WorldClock>>> {
            if self.gate.is_clear() { None } else { self.double_here() }
        }

        #[cold]
        fn double_here(&self) -> Option<Arc<KeyedLimiter<WorldClock>>> {
            self.watch.meet(&self.gate);
            if self.gate.has(Gate::SCOPED) { Some(self.double_in(&World::current()?)) } else { None }
        }

        /// The one that an admission is from.
        pub(in crate::keyed) fn double_of(&self, voided: u64) -> Option<Arc<KeyedLimiter<WorldClock>>> {
            Some(self.double_in(&World::of(voided)?))
        }

        fn double_in(&self, world: &Arc<World>) -> Arc<KeyedLimiter<WorldClock>> {
            world.double(ptr::from_ref(self).cast::<()>().addr(), || KeyedLimiter {
                exact: Table::new(),
                segmented: Table::new(),
                fixed: Table::new(),
                policy: Latest::new(Policy { voided: world.voided(), ..self.policy.first().clone() }),
                algorithm: self.algorithm,
                max_keys: self.max_keys,
                max_waiters: self.max_waiters,
                lines: OnceCell::new(),
                gate: Gate::at_first(true, false),
                name: self.name,
                watch: self.watch.of_double(),
                tally: Tally::new(),
                clock: world.clock().clone(),
            })
        }
    }
}

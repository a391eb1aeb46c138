//! What a call would get that is not made.

use std::hash::Hash;

use super::{Digest, KeyedLimiter, table::Table};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    error::RateLimitExceeded,
    lasting::lasting,
    limit::Limit,
    others::Others,
    window::{rules::Rules, solo::Solo, timeline::Refused},
};

impl<C: Clock> KeyedLimiter<C> {
    /// The refusal that a call of a key would get now by these limits. Nothing is taken, and nothing changes. A key that is
    /// new may still find no room.
    pub(crate) fn judge_for<K: Hash + ?Sized>(
        &self,
        key: &K,
        limits: &[Limit],
        cost: u32,
    ) -> Result<(), RateLimitExceeded> {
        let digest = Digest::of(key);
        let judged = in_table!(self, |table| self.judge_in(table, digest, limits, cost));
        judged.map_err(|refused| match refused {
            Refused::Full(full, _, others) => {
                RateLimitExceeded::refused(self.name, Refused::Full(full, lasting(limits), others))
            }
            refused => RateLimitExceeded::refused(self.name, refused),
        })
    }

    fn judge_in<S: Solo>(
        &self,
        table: &Table<S>,
        digest: Digest,
        limits: &[Limit],
        cost: u32,
    ) -> Result<(), Refused> {
        table.look(digest, |window, floor| {
            let policy = self.policy.load();
            let all = self.limits_of(&policy, Some(limits), cost)?;
            let rules = self.rules(&policy, all, false);
            let rules = Rules { since: rules.since.max(floor), ..rules };
            // On a copy, of that part which decides.
            let mut copy = window.decisive(&rules, u64::from(cost));
            let claimed = copy.claim(&rules, instant(&self.clock), cost);
            claimed
                .map(drop)
                .map_err(|full| Refused::Full(full, None, Others::untold(&full.limit, full.remaining)))
        })
    }
}

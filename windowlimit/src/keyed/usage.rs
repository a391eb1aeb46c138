//! How full the window of a key is.

use std::{hash::Hash, slice};

use super::{Digest, KeyedLimiter, table::Table};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    limit::Limit,
    others::Others,
    usage::Usage,
    window::{rules::Rules, solo::Solo},
};

impl<C: Clock> KeyedLimiter<C> {
    pub(super) fn usage_of<K: Hash + ?Sized>(&self, key: &K, limits: Option<&[Limit]>) -> Usage {
        in_scope!(self, |double| double.usage_of(key, limits));
        let policy = self.policy.load();
        let Ok(all) = self.limits_of(&policy, limits, 0) else { return Usage::NONE };
        let rules = self.rules(&policy, all, limits.is_none());
        let digest = Digest::of(key);
        in_table!(self, |table| self.usage_in(table, digest, rules))
    }

    /// The state of each limit of a call of this key.
    pub(super) fn usages_of(&self, digest: Digest, limits: Option<&[Limit]>) -> Vec<Usage> {
        in_table!(self, |table| self.usages_in(table, digest, limits))
    }

    fn usages_in<S: Solo>(&self, table: &Table<S>, digest: Digest, limits: Option<&[Limit]>) -> Vec<Usage> {
        table.look(digest, |window, floor| {
            let policy = self.policy.load();
            let Ok(all) = self.limits_of(&policy, limits, 0) else { return Vec::new() };
            let rules = self.rules(&policy, all, limits.is_none());
            usages(window, &Rules { since: rules.since.max(floor), ..rules }, instant(&self.clock)).collect()
        })
    }

    fn usage_in<S: Solo>(&self, table: &Table<S>, digest: Digest, rules: Rules<'_>) -> Usage {
        table.look(digest, |window, floor| {
            let rules = Rules { since: rules.since.max(floor), ..rules };
            window.usage(&rules, instant(&self.clock))
        })
    }
}

/// The state of the limits beside this one, which has so many units left.
#[inline]
pub(super) fn beside<S: Solo>(
    window: &S,
    rules: &Rules<'_>,
    reading: u64,
    (named, left): (&Limit, u32),
) -> Others {
    if rules.limits.len() == 1 {
        return Others::NONE;
    }
    Others::of(named, left, usages(window, rules, reading))
}

/// The state of each limit, in their order.
fn usages<S: Solo>(window: &S, rules: &Rules<'_>, reading: u64) -> impl Iterator<Item = Usage> {
    let one = move |limit| Rules { limits: slice::from_ref(limit), ..*rules };
    rules.limits.iter().map(move |limit| window.usage(&one(limit), reading))
}

//! What a call goes by, and how it comes to its window.

use std::{hash::Hash, slice};

use super::{
    Digest, KeyedLimiter, Policy,
    table::{Crowded, Decided, Entered, Table},
    usage::beside,
};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    error::RateLimitExceeded,
    lasting::lasting,
    limit::{InvalidLimit, Limit},
    others::Others,
    permit::Permit,
    usage::Usage,
    watch::Outcome,
    window::{
        answer::{Full, Receipt},
        log::Admission,
        rules::{Claimed, Rules, Single},
        solo::Solo,
        timeline::{Admitted, Refused},
    },
};

impl<C: Clock> KeyedLimiter<C> {
    pub(crate) fn refund(&self, digest: Digest, admitted: Admitted) {
        #[cfg(feature = "test-util")]
        if crate::watch::scope::World::is_of_any(admitted.voided) {
            if let Some(double) = self.double_of(admitted.voided) {
                in_table!(double, |table| double.refund_in(table, digest, admitted));
                double.disturb(digest);
            }
            return;
        }
        in_table!(self, |table| self.refund_in(table, digest, admitted));
        self.disturb(digest);
    }

    #[inline]
    pub(super) fn checked<K: Hash + ?Sized>(
        &self,
        key: &K,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<(), RateLimitExceeded> {
        let digest = Digest::of(key);
        if cost == 1 && limits.is_none() {
            self.check_one(digest)
        } else {
            self.check_any(digest, limits, cost)
        }
    }

    #[inline]
    pub(super) fn admit<K: Hash + ?Sized>(
        &self,
        key: &K,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Permit<'_, C>, RateLimitExceeded> {
        let digest = Digest::of(key);
        if cost == 1 && limits.is_none() {
            self.acquire_one(digest)
        } else {
            self.acquire_any(digest, limits, cost)
        }
    }

    /// Made once, whatever the types of the keys are; so are the next ones.
    #[inline(never)]
    fn check_one(&self, digest: Digest) -> Result<(), RateLimitExceeded> {
        let decided = if self.gate.is_clear() { self.claim_at_once::<false>(digest) } else { None };
        match decided {
            Some(Ok(_)) => {
                self.tally.admitted();
                Ok(())
            }
            Some(Err(full)) => {
                self.tally.full();
                Err(RateLimitExceeded::full(self.name, full))
            }
            None => self.check_any(digest, None, 1),
        }
    }

    #[inline(never)]
    fn acquire_one(&self, digest: Digest) -> Result<Permit<'_, C>, RateLimitExceeded> {
        let decided = if self.gate.is_clear() { self.claim_at_once::<true>(digest) } else { None };
        match decided {
            Some(Ok(admitted)) => {
                self.tally.admitted();
                Ok(Permit::of_key(self, digest, admitted))
            }
            Some(Err(full)) => {
                self.tally.full();
                Err(RateLimitExceeded::full(self.name, full))
            }
            None => self.acquire_any(digest, None, 1),
        }
    }

    #[inline(never)]
    fn check_any(
        &self,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<(), RateLimitExceeded> {
        self.claim_any::<false>(digest, limits, cost).map(drop)
    }

    #[inline(never)]
    fn acquire_any(
        &self,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Permit<'_, C>, RateLimitExceeded> {
        Ok(match self.claim_any::<true>(digest, limits, cost)? {
            Some(admitted) => Permit::of_key(self, digest, admitted),
            None => Permit::uncounted_key(self),
        })
    }

    /// Admits a call, whoever watches. `None` is one that is let through without being counted in the window.
    #[inline]
    pub(crate) fn claim_any<const RECEIPT: bool>(
        &self,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Option<Admitted>, RateLimitExceeded> {
        if !self.gate.is_clear() {
            return self.claim_watched::<RECEIPT>(digest, limits, cost);
        }
        let decided = self.claim::<RECEIPT>(digest, limits, cost);
        self.tally.count(Outcome::of(&decided));
        decided.map(Some)
    }

    /// Decides on a call of one unit in the straightest way, if that is open: nobody waits for the key, it is known, and
    /// its exact window has one limit. It is decided as [`claim_in`](Self::claim_in) does.
    #[allow(clippy::inline_always)] // left apart, it gives back through memory what is mostly not looked at
    #[inline(always)]
    fn claim_at_once<const RECEIPT: bool>(&self, digest: Digest) -> Option<Result<Admitted, Full>> {
        if self.algorithm != Algorithm::Exact || self.lines.get().is_some() && self.has_line(&digest) {
            return None;
        }
        let mut idle_at = 0;
        let decided = self.exact.decide_known(digest, |window, floor| {
            let policy = self.policy.load();
            if !policy.is_single {
                return None;
            }
            let limit = policy.limits.first();
            let rule = Single { limit, since: policy.since.max(floor), forgotten: policy.forgotten };
            let reading = instant(&self.clock);
            let claimed = window.claim_one(&rule, reading);
            Some(claimed.map(|Claimed { at, was_idle }| {
                if was_idle {
                    idle_at = reading;
                }
                let usage = if RECEIPT { window.usage_after(&rule, at, reading) } else { Usage::NONE };
                let receipt = Receipt { usage, at, cost: 1 };
                Admitted { receipt, voided: policy.voided, together: None, others: Others::NONE }
            }))
        })?;
        if idle_at > 0 {
            self.after_idle(idle_at);
        }
        Some(decided)
    }

    #[inline(never)]
    fn claim_at_once_apart<const RECEIPT: bool>(&self, digest: Digest) -> Option<Result<Admitted, Full>> {
        self.claim_at_once::<RECEIPT>(digest)
    }

    #[inline(never)]
    fn after_idle(&self, reading: u64) {
        let before = reading.saturating_sub(self.policy.load().longest);
        self.exact.after_idle(self.max_keys, reading, before, |key, window| self.idle_from(key, window));
    }

    /// From when on the window of a key is idle.
    fn idle_from<S: Solo>(&self, key: Digest, window: &S) -> u64 {
        // Who waits would not like to find that others have taken its place.
        if self.has_line(&key) {
            return u64::MAX;
        }
        let policy = self.policy.load();
        window.idle_from(&self.rules(&policy, &[], true))
    }

    /// The same where somebody watches from outside, and may have said that nothing is refused.
    #[cold]
    #[inline(never)]
    fn claim_watched<const RECEIPT: bool>(
        &self,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Option<Admitted>, RateLimitExceeded> {
        self.watch.meet(&self.gate);
        in_scope!(self, |double| double.claim_any::<RECEIPT>(digest, limits, cost));
        self.tally.judge(&self.gate, self.name, || {
            let is_one = cost == 1 && limits.is_none();
            match if is_one { self.claim_at_once_apart::<RECEIPT>(digest) } else { None } {
                Some(Ok(admitted)) => Ok(Some(admitted)),
                Some(Err(full)) => Err(RateLimitExceeded::full(self.name, full)),
                None => self.claim::<RECEIPT>(digest, limits, cost).map(Some),
            }
        })
    }

    /// Admits a call, of whatever kind. Without `RECEIPT`, how full the window is stays open.
    #[inline]
    fn claim<const RECEIPT: bool>(
        &self,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Admitted, RateLimitExceeded> {
        if let Some(lines) = self.lines.get() {
            self.behind_line(lines, digest, limits, cost).map_or(Ok(()), Err)?;
        }
        self.claim_key::<RECEIPT>(digest, limits, cost)
    }

    /// The same, whoever waits.
    #[inline]
    pub(super) fn claim_key<const RECEIPT: bool>(
        &self,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Admitted, RateLimitExceeded> {
        let claimed = in_table!(self, |table| self.claim_in::<_, RECEIPT>(table, digest, limits, cost));
        match claimed {
            Ok(Ok(admitted)) => Ok(match limits {
                Some(limits) if RECEIPT => Admitted { together: lasting(limits), ..admitted },
                _ => admitted,
            }),
            Ok(Err(refused)) => {
                // Those that came with the call are looked up outside of the lock.
                let refused = match (limits, refused) {
                    (Some(limits), Refused::Full(full, _, others)) => {
                        Refused::Full(full, lasting(limits), others)
                    }
                    (_, refused) => refused,
                };
                Err(RateLimitExceeded::refused(self.name, refused))
            }
            Err(Crowded) => Err(RateLimitExceeded::too_many_keys(self.name, self.max_keys)),
        }
    }

    #[allow(clippy::inline_always)] // the compiler leaves it apart where it has two callers, one of which is rare
    #[inline(always)]
    fn claim_in<S: Solo, const RECEIPT: bool>(
        &self,
        table: &Table<S>,
        digest: Digest,
        limits: Option<&[Limit]>,
        cost: u32,
    ) -> Result<Result<Admitted, Refused>, Crowded> {
        // A call that can never be admitted is told so, whatever else there is.
        if let Err(refused) = self.limits_of(&self.policy.load(), limits, cost) {
            return Ok(Err(refused));
        }
        let decide = |window: &mut S, floor| {
            // Looked at again under the lock, so that no decision is made by limits that have been changed.
            let policy = self.policy.load();
            let rules = match self.limits_of(&policy, limits, cost) {
                Ok(all) => self.rules(&policy, all, limits.is_none()),
                Err(refused) => return Decided { result: Err(refused), entered: None },
            };
            let rules = Rules { since: rules.since.max(floor), ..rules };
            let (idle_from, reading) = (window.idle_from(&rules), instant(&self.clock));
            match window.claim(&rules, reading, cost) {
                Ok(at) => {
                    let usage = if RECEIPT { window.usage(&rules, reading) } else { Usage::NONE };
                    let receipt = Receipt { usage, at, cost };
                    let others = if RECEIPT {
                        beside(window, &rules, reading, (usage.tightest_limit(), usage.remaining()))
                    } else {
                        Others::NONE
                    };
                    let together = policy.limits.together();
                    let admitted = Admitted { receipt, voided: policy.voided, together, others };
                    let before = reading.saturating_sub(rules.longest);
                    let was_idle = at >= idle_from;
                    let entered = (cost > 0).then_some(Entered { reading, before, was_idle });
                    Decided { result: Ok(admitted), entered }
                }
                Err(full) => {
                    let (limit, left) = (full.limit, full.remaining);
                    let others = beside(window, &rules, reading, (&limit, left));
                    let refused = Refused::Full(full, policy.limits.together(), others);
                    Decided { result: Err(refused), entered: None }
                }
            }
        };
        let idle_from = |key: Digest, window: &S| self.idle_from(key, window);
        table.decide(digest, self.max_keys, decide, idle_from, || instant(&self.clock))
    }

    fn refund_in<S: Solo>(&self, table: &Table<S>, digest: Digest, admitted: Admitted) {
        let Admitted { receipt: Receipt { at, cost, .. }, voided, .. } = admitted;
        table.update(digest, |window, floor| {
            let policy = self.policy.load();
            if policy.voided == voided && cost > 0 {
                let rules = self.rules(&policy, policy.limits.as_slice(), true);
                let rules = Rules { since: rules.since.max(floor), ..rules };
                window.refund(&rules, instant(&self.clock), Admission { at, units: u64::from(cost) });
            }
        });
    }

    /// The limits of a call, if it can be admitted at all.
    #[inline]
    pub(super) fn limits_of<'l>(
        &self,
        policy: &'l Policy,
        limits: Option<&'l [Limit]>,
        cost: u32,
    ) -> Result<&'l [Limit], Refused> {
        let is_whole = matches!(self.algorithm, Algorithm::Exact | Algorithm::Fixed);
        if is_whole && limits.is_none() && policy.limits.is_one() && policy.limits.can_fit(cost) {
            // Most calls: nothing else can be in their way.
            return Ok(slice::from_ref(policy.limits.first()));
        }
        self.limits_examined(policy, limits, cost)
    }

    #[inline(never)]
    fn limits_examined<'l>(
        &self,
        policy: &'l Policy,
        limits: Option<&'l [Limit]>,
        cost: u32,
    ) -> Result<&'l [Limit], Refused> {
        let all = match limits {
            None => policy.limits.fault().map_or(Ok(policy.limits.as_slice()), Err),
            Some([]) => Err(InvalidLimit::NO_LIMIT),
            Some(limits) if limits.iter().any(|limit| limit.nanos() > policy.longest) => {
                Err(InvalidLimit::TOO_LONG)
            }
            Some(limits) => Ok(limits),
        };
        let all = all.map_err(Refused::Misconfigured)?;
        if let Some(why) = all.iter().find_map(|limit| self.algorithm.segment(limit).err()) {
            return Err(Refused::Misconfigured(why));
        }
        match all.iter().filter(|limit| cost > limit.max()).min_by_key(|limit| limit.max()) {
            Some(limit) => {
                Err(Refused::Never(*limit, limits.map_or_else(|| policy.limits.together(), lasting)))
            }
            None => Ok(all),
        }
    }

    /// What a decision goes by: by these limits, which are the limiter's own or came with the call.
    #[inline]
    pub(super) fn rules<'l>(&self, policy: &Policy, limits: &'l [Limit], are_own: bool) -> Rules<'l> {
        Rules {
            algorithm: self.algorithm,
            limits,
            longest: policy.longest,
            since: policy.since,
            forgotten: policy.forgotten,
            first: policy.first,
            is_plain: are_own && policy.first.is_some() && !policy.is_changed,
        }
    }
}

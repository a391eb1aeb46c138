//! A few admissions, decided by looking at each.

use crate::{
    limit::Limit,
    usage::Usage,
    window::{
        answer::Full,
        log::Admission,
        rules::{Claimed, Rules, Single},
    },
};

/// How many admissions of one unit are kept without a log: as many words as a small block of memory has.
pub(crate) const MOST: usize = 5;

/// The instants of admissions of one unit, newest first, then zeros. So the one that must have left before there is room
/// stands in a place that the limit tells, and no sum is taken.
#[derive(Clone)]
pub(crate) struct Few([u64; MOST]);

/// The same as admissions, to be looked at and added to.
pub(crate) struct Live {
    admissions: [Admission; MOST],
    len: usize,
}

impl Live {
    pub(crate) fn as_slice(&self) -> &[Admission] {
        &self.admissions[..self.len]
    }

    /// Adds one that is not before the newest; false if there is no place.
    pub(crate) fn push(&mut self, admission: Admission) -> bool {
        let has_place = self.len < MOST;
        if has_place {
            self.admissions[self.len] = admission;
            self.len += 1;
        }
        has_place
    }

    /// Drops what does not count for any limit.
    pub(crate) fn drop_expired(&mut self, longest: u64, now: u64) {
        let expired =
            self.as_slice().iter().take_while(|admission| now >= admission.at.saturating_add(longest));
        let expired = expired.count();
        self.admissions.copy_within(expired..self.len, 0);
        self.len -= expired;
    }
}

impl Few {
    /// `None` if there are too many, or others than of one unit. They come oldest first.
    pub(crate) fn of(admissions: &[Admission]) -> Option<Self> {
        if admissions.len() > MOST || admissions.iter().any(|admission| admission.units != 1) {
            return None;
        }
        let mut few = Self([0; MOST]);
        let instants = admissions.iter().rev().map(|admission| admission.at);
        few.0.iter_mut().zip(instants).for_each(|(place, at)| *place = at);
        Some(few)
    }

    pub(crate) fn admissions(&self) -> Live {
        let mut live = Live { admissions: [Admission { at: 0, units: 1 }; MOST], len: 0 };
        for &at in self.0.iter().rev().filter(|&&at| at > 0) {
            live.push(Admission { at, units: 1 });
        }
        live
    }

    #[inline]
    pub(crate) fn newest(&self) -> u64 {
        self.0[0]
    }

    /// The instant at which a call is admitted that takes so many units, or what has no room for it.
    #[inline]
    pub(crate) fn judge(&self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
        let now = reading.max(rules.since).max(self.newest());
        let mut last: Option<Full> = None;
        for limit in rules.limits {
            let gone = gone(now, limit.nanos(), rules.forgotten);
            // With whose leaving there is room; if it has left, there is already.
            if let Some(at) = self.back(limit.max() - cost).filter(|&at| at > gone) {
                let live = self.0.iter().filter(|&&at| at > gone).count();
                let retry_after = at.saturating_add(limit.nanos()) - reading;
                let full = Full { limit: *limit, retry_after, remaining: limit.remaining(live as u64) };
                last = Some(last.map_or(full, |last| last.or_later(full)));
            }
        }
        last.map_or(Ok(now), Err)
    }

    /// The instant of the admission that so many have followed, if there is one.
    #[inline]
    fn back(&self, units: u32) -> Option<u64> {
        self.0.get(units as usize).copied()
    }

    /// Admits a call, unless the limit has no room for it, or this no place: then it says nothing.
    #[inline]
    pub(crate) fn claim_one(&mut self, rule: &Single<'_>, reading: u64) -> Option<Result<Claimed, Full>> {
        let (limit, newest) = (rule.limit, self.newest());
        let now = reading.max(rule.since).max(newest);
        let gone = gone(now, limit.nanos(), rule.forgotten);
        if let Some(at) = self.back(limit.max() - 1).filter(|&at| at > gone) {
            let retry_after = at.saturating_add(limit.nanos()) - reading;
            return Some(Err(Full { limit: *limit, retry_after, remaining: 0 }));
        }
        let was_idle = newest <= now.saturating_sub(limit.nanos());
        self.enter(gone, now).then_some(Ok(Claimed { at: now, was_idle }))
    }

    /// How full it is for a limit by which a call was just admitted, at this instant.
    #[inline]
    pub(crate) fn usage_after(&self, rule: &Single<'_>, at: u64, reading: u64) -> Usage {
        let gone = gone(at, rule.limit.nanos(), rule.forgotten);
        let live = self.0.iter().take_while(|&&known| known > gone).count();
        let oldest = live.checked_sub(1).map_or(at, |place| self.0[place]);
        let reset_after = oldest.saturating_add(rule.limit.nanos()) - reading;
        // There are five at most.
        Usage::new(*rule.limit, u32::try_from(live).unwrap_or(u32::MAX), reset_after)
    }

    /// Adds one unit of an instant that is not before the newest, in the place of what has expired; false, and as it was,
    /// if there is none.
    #[inline]
    pub(crate) fn push(&mut self, longest: u64, now: u64) -> bool {
        self.enter(now.saturating_sub(longest), now)
    }

    /// The same, by up to when all is gone.
    #[inline]
    fn enter(&mut self, gone: u64, now: u64) -> bool {
        let has_place = self.0[MOST - 1] <= gone;
        if has_place {
            self.0.copy_within(..MOST - 1, 1);
            self.0[0] = now;
        }
        has_place
    }
}

/// The latest instant whose admissions do not count any more for a window of this length.
#[inline]
pub(crate) fn gone(now: u64, window: u64, forgotten: u64) -> u64 {
    now.saturating_sub(window).max(forgotten)
}

/// The state of the tightest limit.
pub(crate) fn usage(live: &[Admission], rules: &Rules<'_>, reading: u64) -> Usage {
    let now = time(live, rules, reading);
    Usage::tightest(rules.limits.iter().map(|limit| {
        let units: u64 = counted(live, rules, limit, now).map(|admission| admission.units).sum();
        let oldest = counted(live, rules, limit, now).next();
        let reset_after = oldest.map_or(0, |oldest| oldest.at.saturating_add(limit.nanos()) - reading);
        Usage::new(*limit, u32::try_from(units).unwrap_or(u32::MAX), reset_after)
    }))
}

/// The instant of a decision: the reading or, if the clock has gone back, the newest admission.
#[inline]
fn time(live: &[Admission], rules: &Rules<'_>, reading: u64) -> u64 {
    let newest = live.last().map_or(0, |newest| newest.at);
    reading.max(rules.since).max(newest)
}

/// Those that count for a limit.
#[inline]
fn counted<'a>(
    live: &'a [Admission],
    rules: &Rules<'_>,
    limit: &Limit,
    now: u64,
) -> impl Iterator<Item = &'a Admission> {
    let (forgotten, window) = (rules.forgotten, limit.nanos());
    live.iter().filter(move |admission| {
        admission.units > 0 && admission.at > forgotten && now < admission.at.saturating_add(window)
    })
}

//! A few admissions, decided by looking at each.

use crate::{
    limit::Limit,
    usage::Usage,
    window::{answer::Full, log::Admission, rules::Rules},
};

/// How many admissions of one unit are kept without a log: as many words as a small block of memory has.
pub(crate) const MOST: usize = 5;

/// The instants of admissions of one unit, oldest first, then zeros.
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
    /// `None` if there are too many, or others than of one unit.
    pub(crate) fn of(admissions: &[Admission]) -> Option<Self> {
        let mut few = Self([0; MOST]);
        few.set(admissions).then_some(few)
    }

    /// The same in place; false, and as it was, if it cannot hold them.
    pub(crate) fn set(&mut self, admissions: &[Admission]) -> bool {
        if admissions.len() > MOST || admissions.iter().any(|admission| admission.units != 1) {
            return false;
        }
        let instants = admissions.iter().map(|admission| admission.at).chain(std::iter::repeat(0));
        self.0.iter_mut().zip(instants).for_each(|(place, at)| *place = at);
        true
    }

    pub(crate) fn admissions(&self) -> Live {
        let len = self.0.iter().take_while(|&&at| at > 0).count();
        Live { admissions: self.0.map(|at| Admission { at, units: 1 }), len }
    }

    pub(crate) fn newest(&self) -> u64 {
        self.0.iter().copied().max().unwrap_or(0)
    }
}

/// The instant at which a call is admitted that takes so many units, or what has no room for it.
#[inline]
pub(crate) fn judge(live: &[Admission], rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
    let now = time(live, rules, reading);
    let mut last: Option<Full> = None;
    for limit in rules.limits {
        let units: u64 = counted(live, rules, limit, now).map(|admission| admission.units).sum();
        let missing = (units + u64::from(cost)).saturating_sub(u64::from(limit.max()));
        if let Some(at) = first_ending(live, rules, limit, now, missing) {
            let full = Full { limit: *limit, retry_after: at.saturating_add(limit.nanos()) - reading };
            last = Some(last.map_or(full, |last| last.or_later(full)));
        }
    }
    last.map_or(Ok(now), Err)
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

/// The instant of the first of these by which so many units have been counted, if that is any.
#[inline]
fn first_ending(live: &[Admission], rules: &Rules<'_>, limit: &Limit, now: u64, units: u64) -> Option<u64> {
    if units == 0 {
        return None;
    }
    let mut counted_units = 0;
    let mut admissions = counted(live, rules, limit, now);
    let reaches = |admission: &&Admission| {
        counted_units += admission.units;
        counted_units >= units
    };
    admissions.find(reaches).map(|admission| admission.at)
}

//! A few admissions, decided by looking at each.

use crate::{
    limit::Limit,
    usage::Usage,
    window::{
        answer::{Full, Receipt},
        log::Admission,
        rules::Rules,
    },
};

/// How many admissions of one unit are kept without a log: as many words as a small block of memory has.
pub(crate) const MOST: usize = 5;

/// The instants of admissions of one unit, oldest first, then zeros.
pub(crate) struct Few([u64; MOST]);

/// Admissions, oldest first, taken out of wherever they are kept.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    admissions: [Admission; MOST],
    len: usize,
}

impl Default for Live {
    fn default() -> Self {
        Self { admissions: [Admission { at: 0, units: 0 }; MOST], len: 0 }
    }
}

impl Live {
    /// Units of one instant, if there is one.
    pub(crate) fn one(at: u64, units: u32) -> Self {
        let mut live = Self::default();
        if at > 0 {
            live.push(Admission { at, units: u64::from(units) });
        }
        live
    }

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
        let mut live = Live::default();
        for &at in self.0.iter().filter(|&&at| at > 0) {
            live.push(Admission { at, units: 1 });
        }
        live
    }

    pub(crate) fn newest(&self) -> u64 {
        self.0.iter().copied().max().unwrap_or(0)
    }
}

/// What a call would get that takes so many units.
pub(crate) fn judge(live: &Live, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<Receipt, Full> {
    let now = time(live, rules, reading);
    let full = rules.limits.iter().map(|limit| {
        let (units, _) = count(live, rules, limit, now);
        let missing = (units + u64::from(cost)).saturating_sub(u64::from(limit.max()));
        let leaves = first_ending(live, rules, limit, now, missing)?.saturating_add(limit.nanos());
        Some(Full { limit: *limit, retry_after: leaves - reading })
    });
    match Full::last(full) {
        Some(full) => Err(full),
        None => Ok(Receipt { usage: usage(live, rules, reading, cost), at: now, cost }),
    }
}

/// The state of the tightest limit with so many more units.
pub(crate) fn usage(live: &Live, rules: &Rules<'_>, reading: u64, more: u32) -> Usage {
    let now = time(live, rules, reading);
    Usage::tightest(rules.limits.iter().map(|limit| {
        let (units, oldest) = count(live, rules, limit, now);
        let oldest = oldest.or((more > 0).then_some(now));
        let reset_after = oldest.map_or(0, |at| at.saturating_add(limit.nanos()) - reading);
        Usage::new(*limit, u32::try_from(units + u64::from(more)).unwrap_or(u32::MAX), reset_after)
    }))
}

/// The instant of a decision: the reading or, if the clock has gone back, the newest admission.
fn time(live: &Live, rules: &Rules<'_>, reading: u64) -> u64 {
    let newest = live.as_slice().last().map_or(0, |newest| newest.at);
    reading.max(rules.since).max(newest)
}

/// Those that count for a limit.
fn counted<'a>(
    live: &'a Live,
    rules: &Rules<'_>,
    limit: &Limit,
    now: u64,
) -> impl Iterator<Item = &'a Admission> {
    let (forgotten, window) = (rules.forgotten, limit.nanos());
    live.as_slice().iter().filter(move |admission| {
        admission.units > 0 && admission.at > forgotten && now < admission.at.saturating_add(window)
    })
}

/// How many units count for a limit, and since when the oldest does.
fn count(live: &Live, rules: &Rules<'_>, limit: &Limit, now: u64) -> (u64, Option<u64>) {
    let units = counted(live, rules, limit, now).map(|admission| admission.units).sum();
    (units, counted(live, rules, limit, now).next().map(|oldest| oldest.at))
}

/// The instant of the first of these by which so many units have been counted, if that is any.
fn first_ending(live: &Live, rules: &Rules<'_>, limit: &Limit, now: u64, units: u64) -> Option<u64> {
    let mut counted_units = 0;
    let mut admissions = counted(live, rules, limit, now);
    let reaches = |admission: &&Admission| {
        counted_units += admission.units;
        units > 0 && counted_units >= units
    };
    admissions.find(reaches).map(|admission| admission.at)
}

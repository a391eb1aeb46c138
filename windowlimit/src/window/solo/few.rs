//! A few admissions, decided by looking at each.

use crate::{
    limit::Limit,
    usage::Usage,
    window::{answer::Full, log::Admission, rules::Rules},
};

/// How many admissions of one unit are kept without a log: as many words as a small block of memory has.
pub(crate) const MOST: usize = 5;

/// The instants of admissions of one unit, oldest first, then zeros.
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

    /// The instants, oldest first.
    #[inline]
    fn instants(&self) -> &[u64] {
        let len = self.0.iter().take_while(|&&at| at > 0).count();
        &self.0[..len]
    }

    pub(crate) fn newest(&self) -> u64 {
        self.instants().last().copied().unwrap_or(0)
    }

    /// The instant at which a call is admitted that takes so many units, or what has no room for it. The live ones are the
    /// last ones, of one unit each, so that nothing has to be added up.
    #[inline]
    pub(crate) fn judge(&self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
        let known = self.instants();
        let now = reading.max(rules.since).max(self.newest());
        let mut last: Option<Full> = None;
        for limit in rules.limits {
            let counts = |at: u64| at > rules.forgotten && now < at.saturating_add(limit.nanos());
            let live = &known[known.iter().take_while(|&&at| !counts(at)).count()..];
            let missing = (live.len() as u64 + u64::from(cost)).saturating_sub(u64::from(limit.max()));
            // The one with whose leaving there is room; none, if there is room already.
            let leaves = missing.checked_sub(1).and_then(|before| live.get(usize::try_from(before).ok()?));
            if let Some(at) = leaves {
                let retry_after = at.saturating_add(limit.nanos()) - reading;
                let full = Full { limit: *limit, retry_after, remaining: limit.remaining(live.len() as u64) };
                last = Some(last.map_or(full, |last| last.or_later(full)));
            }
        }
        last.map_or(Ok(now), Err)
    }

    /// Adds one unit of an instant that is not before the newest, in the place of what has expired; false, and as it was,
    /// if there is none.
    #[inline]
    pub(crate) fn push(&mut self, longest: u64, now: u64) -> bool {
        let len = self.instants().len();
        let expired = self.instants().iter().take_while(|&&at| now >= at.saturating_add(longest)).count();
        let left = len - expired;
        if left == MOST {
            return false;
        }
        self.0.copy_within(expired..len, 0);
        self.0[left] = now;
        self.0[left + 1..].fill(0);
        true
    }
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

//! An exact window in two words, as long as one admission is live; a list of instants for a few more that took one unit
//! each; a log for all others.

use super::{
    Solo,
    few::{self, Few, Live},
};
use crate::{
    usage::Usage,
    window::{
        answer::Full,
        log::{Admission, Log},
        rules::{Claimed, Rules, Single},
    },
};

#[derive(Clone)]
pub(crate) enum Exact {
    /// Units of one instant. Without units, time has been there; without an instant, nothing was.
    One {
        at: u64,
        units: u32,
    },
    Few(Box<Few>),
    Log(Box<Log>),
}

// A key takes its digest and these, whatever it is.
const _: () = assert!(size_of::<Exact>() == 16);

impl Exact {
    /// The smallest form that holds these admissions.
    pub(crate) fn of(live: &[Admission]) -> Self {
        match live {
            [] => Self::EMPTY,
            [Admission { at, units }] => match u32::try_from(*units) {
                Ok(units) => Self::One { at: *at, units },
                Err(_) => Self::Log(Box::new(Log::new(live.iter().copied()))),
            },
            all => match Few::of(all) {
                Some(few) => Self::Few(Box::new(few)),
                None => Self::Log(Box::new(Log::new(all.iter().copied()))),
            },
        }
    }

    /// Admits a call by one limit, as [`claim`](Solo::claim) does, and as straight as it can be.
    #[allow(clippy::inline_always)] // the compiler leaves it apart, and what it gives back goes through memory
    #[inline(always)]
    pub(crate) fn claim_one(&mut self, rule: &Single<'_>, reading: u64) -> Result<Claimed, Full> {
        match self {
            Self::One { at: newest, units } => {
                let (limit, known) = (rule.limit, *newest);
                let at = reading.max(rule.since).max(known);
                if known <= few::gone(at, limit.nanos(), rule.forgotten) || *units == 0 {
                    let was_idle = known <= at.saturating_sub(limit.nanos());
                    (*newest, *units) = (at, 1);
                    return Ok(Claimed { at, was_idle });
                }
                if *units >= limit.max() {
                    let retry_after = known.saturating_add(limit.nanos()) - reading;
                    let remaining = limit.remaining((*units).into());
                    return Err(Full { limit: *limit, retry_after, remaining });
                }
            }
            Self::Few(few) => {
                if let Some(claimed) = few.claim_one(rule, reading) {
                    return claimed;
                }
            }
            Self::Log(_) => {}
        }
        self.claim_by_all(rule, reading)
    }

    /// How full it is for a limit by which a call was just admitted, at this instant.
    #[inline]
    pub(crate) fn usage_after(&self, rule: &Single<'_>, at: u64, reading: u64) -> Usage {
        match self {
            Self::One { units, .. } => {
                Usage::new(*rule.limit, *units, at.saturating_add(rule.limit.nanos()) - reading)
            }
            Self::Few(few) => few.usage_after(rule, at, reading),
            Self::Log(_) => self.usage(&rule.rules(), reading),
        }
    }

    /// As [`claim_one`](Self::claim_one), if it takes another form for it, or is long.
    #[inline(never)]
    fn claim_by_all(&mut self, rule: &Single<'_>, reading: u64) -> Result<Claimed, Full> {
        let rules = rule.rules();
        let idle_from = self.idle_from(&rules);
        let at = self.claim(&rules, reading, 1)?;
        Ok(Claimed { at, was_idle: at >= idle_from })
    }

    /// Adds an admission to a few that have no place for it.
    fn enter_among(&mut self, mut live: Live, longest: u64, new: Admission) {
        live.drop_expired(longest, new.at);
        *self = if live.push(new) {
            Self::of(live.as_slice())
        } else {
            let mut log = Log::new(live.as_slice().iter().copied());
            log.enter(new.at, new.units);
            Self::Log(Box::new(log))
        };
    }
}

/// The instant at which a call is admitted beside units of one instant, if there is one, or what has no room for it.
#[inline]
fn judge_one(at: u64, units: u32, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
    let now = reading.max(rules.since).max(at);
    let mut last: Option<Full> = None;
    for limit in rules.limits {
        let leaves = at.saturating_add(limit.nanos());
        let live = if at > rules.forgotten && now < leaves { units } else { 0 };
        if live > 0 && u64::from(live) + u64::from(cost) > u64::from(limit.max()) {
            let remaining = limit.remaining(u64::from(live));
            let full = Full { limit: *limit, retry_after: leaves - reading, remaining };
            last = Some(last.map_or(full, |last| last.or_later(full)));
        }
    }
    last.map_or(Ok(now), Err)
}

/// Units of one instant, if there is one, and how many there are of that.
#[inline]
fn one(at: u64, units: u32) -> ([Admission; 1], usize) {
    ([Admission { at, units: u64::from(units) }], usize::from(at > 0))
}

impl Solo for Exact {
    const EMPTY: Self = Self::One { at: 0, units: 0 };

    #[inline]
    fn is_empty(&self) -> bool {
        matches!(self, Self::One { at: 0, .. })
    }

    #[inline]
    fn claim(&mut self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
        match self {
            Self::One { at, units } => {
                let now = judge_one(*at, *units, rules, reading, cost)?;
                if cost > 0 {
                    // Of what has expired, or was given back, nothing is to be known any more: this is not before it.
                    let is_over = *units == 0 || now >= at.saturating_add(rules.longest);
                    *self = if is_over {
                        Self::One { at: now, units: cost }
                    } else {
                        let known = Admission { at: *at, units: u64::from(*units) };
                        Self::of(&[known, Admission { at: now, units: u64::from(cost) }])
                    };
                }
                Ok(now)
            }
            Self::Few(few) => {
                let now = few.judge(rules, reading, cost)?;
                let is_in_place = cost == 0 || cost == 1 && few.push(rules.longest, now);
                if !is_in_place {
                    let live = few.admissions();
                    self.enter_among(live, rules.longest, Admission { at: now, units: u64::from(cost) });
                }
                Ok(now)
            }
            Self::Log(log) => {
                let now = log.claim(rules, reading, cost)?;
                if cost > 0 && log.len() == 1 {
                    // All others have expired. The block of the log goes back with it.
                    let newest = log.admissions().next();
                    *self = Self::of(newest.as_slice());
                }
                Ok(now)
            }
        }
    }

    fn usage(&self, rules: &Rules<'_>, reading: u64) -> Usage {
        match self {
            Self::One { at, units } => {
                let (known, len) = one(*at, *units);
                few::usage(&known[..len], rules, reading)
            }
            Self::Few(few) => few::usage(few.admissions().as_slice(), rules, reading),
            Self::Log(log) => log.usage(rules, reading),
        }
    }

    fn refund(&mut self, rules: &Rules<'_>, reading: u64, given: Admission) {
        match self {
            Self::Log(log) => log.refund(rules, reading, given),
            Self::One { at, units } => {
                let now = reading.max(rules.since).max(*at);
                let counts = *at > rules.forgotten && now < at.saturating_add(rules.longest);
                let left = u64::from(*units).checked_sub(given.units).map(u32::try_from);
                if let Some(Ok(left)) = left.filter(|_| counts && *at == given.at) {
                    *units = left;
                }
            }
            // A log remembers that time has been at the newest, also when that is given back.
            Self::Few(few) => {
                let mut log = Log::new(few.admissions().as_slice().iter().copied());
                log.refund(rules, reading, given);
                *self = Self::Log(Box::new(log));
            }
        }
    }

    fn decisive(&self, rules: &Rules<'_>, units: u64) -> Self {
        match self {
            Self::Log(log) => Self::Log(Box::new(log.decisive(rules.limits, units))),
            small => small.clone(),
        }
    }

    #[inline]
    fn idle_from(&self, rules: &Rules<'_>) -> u64 {
        let newest = match self {
            Self::One { at, .. } => *at,
            Self::Few(few) => few.newest(),
            Self::Log(log) => log.newest(),
        };
        newest.saturating_add(rules.longest)
    }
}

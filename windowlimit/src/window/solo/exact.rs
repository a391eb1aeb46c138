//! An exact window in two words, as long as one admission is live; a list of instants for a few more that took one unit
//! each; a log for all others.

use super::{
    Solo,
    few::{self, Few, Live},
};
use crate::{
    usage::Usage,
    window::{
        answer::{Full, Receipt},
        log::{Admission, Log},
        rules::Rules,
    },
};

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
    fn of(live: &Live) -> Self {
        match live.as_slice() {
            [] => Self::EMPTY,
            [Admission { at, units }] => match u32::try_from(*units) {
                Ok(units) => Self::One { at: *at, units },
                Err(_) => Self::Log(Box::new(Log::new(live.as_slice().iter().copied()))),
            },
            all => match Few::of(all) {
                Some(few) => Self::Few(Box::new(few)),
                None => Self::Log(Box::new(Log::new(all.iter().copied()))),
            },
        }
    }

    /// What the small forms remember.
    fn admissions(&self) -> Live {
        match self {
            Self::One { at, units } => Live::one(*at, *units),
            Self::Few(few) => few.admissions(),
            Self::Log(_) => Live::default(),
        }
    }
}

impl Solo for Exact {
    const EMPTY: Self = Self::One { at: 0, units: 0 };

    fn claim(&mut self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<Receipt, Full> {
        if let Self::Log(log) = self {
            let receipt = log.claim(rules, reading, cost)?;
            if cost > 0 && log.len() == 1 {
                // All others have expired. The block of the log goes back with it.
                let mut live = Live::default();
                for admission in log.admissions() {
                    live.push(admission);
                }
                *self = Self::of(&live);
            }
            return Ok(receipt);
        }
        let mut live = self.admissions();
        let receipt = few::judge(&live, rules, reading, cost)?;
        if cost > 0 {
            live.drop_expired(rules.longest, receipt.at);
            let has_place = live.push(Admission { at: receipt.at, units: u64::from(cost) });
            let in_place = match self {
                Self::Few(few) => has_place && few.set(live.as_slice()),
                _ => false,
            };
            if !has_place {
                let mut log = Log::new(live.as_slice().iter().copied());
                log.enter(receipt.at, u64::from(cost));
                *self = Self::Log(Box::new(log));
            } else if !in_place {
                *self = Self::of(&live);
            }
        }
        Ok(receipt)
    }

    fn usage(&self, rules: &Rules<'_>, reading: u64) -> Usage {
        match self {
            Self::Log(log) => log.usage(rules, reading),
            _ => few::usage(&self.admissions(), rules, reading, 0),
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

    fn idle_from(&self, rules: &Rules<'_>) -> u64 {
        let newest = match self {
            Self::One { at, .. } => *at,
            Self::Few(few) => few.newest(),
            Self::Log(log) => log.newest(),
        };
        newest.saturating_add(rules.longest)
    }
}

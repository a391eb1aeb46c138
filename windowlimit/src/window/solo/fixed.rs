//! A fixed window in two words, where all keys have the same limit; else a part for each length of a window.

use super::Solo;
use crate::{
    limit::Limit,
    usage::Usage,
    window::{
        answer::Full,
        fixed::{Open, heir},
        log::Admission,
        rules::Rules,
    },
};

#[derive(Clone)]
pub(crate) enum Fixed {
    /// The window of the only limit: when it began, if it has, and what it holds.
    One {
        start: u64,
        units: u32,
    },
    Parts(Box<Parts>),
}

/// The window of each limit; behind them that of the longest window, if none of them is so long, which remembers for limits
/// that come later. (A list takes three words, and a key pays for the largest form.)
#[derive(Clone)]
pub(crate) struct Parts(Vec<Part>);

type Part = (Limit, Open);

const _: () = assert!(size_of::<Fixed>() == 16);

impl Fixed {
    /// The windows of these limits.
    pub(crate) fn of(windows: Vec<(Limit, Open)>) -> Self {
        Self::Parts(Box::new(Parts(windows)))
    }

    const fn one(Open { start, units }: Open) -> Self {
        Self::One { start, units }
    }

    /// The window of the only limit that there has been.
    #[inline]
    fn plain(&self, rules: &Rules<'_>) -> Option<(Open, Limit)> {
        match self {
            Self::One { start, units } if rules.is_plain => {
                Some((Open { start: *start, units: *units }, rules.first?))
            }
            _ => None,
        }
    }

    /// The windows of these limits, whatever form they are kept in.
    fn parts(&self, rules: &Rules<'_>) -> Vec<Part> {
        let known: Vec<Part> = match (self, rules.first) {
            (Self::One { start, units }, Some(limit)) => {
                vec![(limit, Open { start: *start, units: *units })]
            }
            // It was never in this form.
            (Self::One { .. }, None) => Vec::new(),
            (Self::Parts(parts), _) => parts.0.clone(),
        };
        // What was over when limits changed stays so.
        let settled =
            |(limit, open): Part| (limit, if open.is_open(rules.since, &limit) { open } else { Open::NONE });
        let known: Vec<Part> = known.into_iter().map(settled).collect();
        rules.limits_and_longest().map(|limit| (limit, heir(&limit, &known))).collect()
    }

    fn time(parts: &[Part], rules: &Rules<'_>, reading: u64) -> u64 {
        parts.iter().fold(reading.max(rules.since), |now, (_, open)| open.time(now))
    }
}

impl Solo for Fixed {
    const EMPTY: Self = Self::one(Open::NONE);

    #[inline]
    fn is_empty(&self) -> bool {
        matches!(self, Self::One { start: 0, .. })
    }

    fn claim(&mut self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
        if let Some((open, limit)) = self.plain(rules) {
            let now = open.time(reading.max(rules.since));
            let current = open.at(now, &limit);
            if let Some(full) = current.judge(&limit, cost, reading) {
                return Err(full);
            }
            if cost > 0 {
                *self = Self::one(current.with(cost));
            }
            return Ok(now);
        }
        let mut parts = self.parts(rules);
        let now = Self::time(&parts, rules, reading);
        let judged = parts
            .iter()
            .zip(rules.limits)
            .map(|((_, open), limit)| open.at(now, limit).judge(limit, cost, reading));
        if let Some(full) = Full::last(judged) {
            return Err(full);
        }
        if cost > 0 {
            for (limit, open) in &mut parts {
                *open = open.at(now, limit).with(cost);
            }
            *self = Self::Parts(Box::new(Parts(parts)));
        }
        Ok(now)
    }

    fn usage(&self, rules: &Rules<'_>, reading: u64) -> Usage {
        if let Some((open, limit)) = self.plain(rules) {
            let now = open.time(reading.max(rules.since));
            return open.at(now, &limit).usage(&limit, reading);
        }
        let parts = self.parts(rules);
        let now = Self::time(&parts, rules, reading);
        let each = parts.iter().zip(rules.limits);
        Usage::tightest(each.map(|((_, open), limit)| open.at(now, limit).usage(limit, reading)))
    }

    fn refund(&mut self, rules: &Rules<'_>, reading: u64, given: Admission) {
        let given_units = u32::try_from(given.units).unwrap_or(u32::MAX);
        let now = reading.max(rules.since);
        match (&mut *self, rules.first) {
            (Self::One { start, units }, Some(limit)) => {
                let open = Open { start: *start, units: *units };
                if open.is_open(open.time(now), &limit) {
                    *units = open.without(given.at, given_units).units;
                }
            }
            (Self::One { .. }, None) => {}
            (Self::Parts(parts), _) => {
                let now = Self::time(&parts.0, rules, reading);
                for (_, open) in parts.0.iter_mut().filter(|(limit, open)| open.is_open(now, limit)) {
                    *open = open.without(given.at, given_units);
                }
            }
        }
    }

    fn idle_from(&self, rules: &Rules<'_>) -> u64 {
        match self {
            Self::One { start, .. } => start.saturating_add(rules.longest),
            Self::Parts(parts) => {
                let ends = parts.0.iter().map(|(limit, open)| open.start.saturating_add(limit.nanos()));
                ends.max().unwrap_or(0)
            }
        }
    }
}

//! What an era leaves to the next one.

use crate::{
    algorithm::Algorithm,
    limit::Limit,
    limits::Limits,
    line::{Forecast, Foresee, Terms},
    window::{
        fixed::Open,
        log::Admission,
        marks::Known,
        rules::Rules,
        solo::{self, Solo},
    },
};

/// What a window knows when it is closed.
pub(crate) enum Legacy {
    Nothing,
    /// Admissions, oldest first, also some that have expired; and whether each call took one unit, so far.
    Exact {
        admissions: Vec<Admission>,
        in_units: bool,
    },
    /// What is known of the units.
    Segmented(Known),
    /// The window of each limit.
    Fixed(Vec<(Limit, Open)>),
}

impl Legacy {
    /// Without what has expired for each of these limits: it would count again under a longer one.
    pub(crate) fn settled(self, limits: &Limits, now: u64) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            Self::Exact { mut admissions, in_units } => {
                let longest = limits.longest();
                admissions.retain(|admission| now < admission.at + longest);
                Self::Exact { admissions, in_units }
            }
            Self::Segmented(mut known) => {
                for edge in &mut known.edges {
                    edge.units = edge.units.min(known.live);
                }
                Self::Segmented(known)
            }
            Self::Fixed(mut known) => {
                for (limit, open) in &mut known {
                    *open = if open.is_open(now, limit) { *open } else { Open::NONE };
                }
                Self::Fixed(known)
            }
        }
    }

    /// The same kind of window, and nothing in it.
    pub(crate) fn emptied(self) -> Self {
        match self {
            Self::Exact { in_units, .. } => Self::Exact { admissions: Vec::new(), in_units },
            _ => Self::Nothing,
        }
    }

    /// To be continued by a window that counts units.
    pub(crate) fn into_log(self) -> Self {
        match self {
            Self::Exact { admissions, .. } => Self::Exact { admissions, in_units: false },
            other => other,
        }
    }

    /// A window of one owner that goes on from it.
    pub(crate) fn into_forecast(self, algorithm: Algorithm, rules: &Rules<'_>) -> Box<dyn Foresee> {
        let terms = Terms::of(&Rules { algorithm, ..*rules });
        match (algorithm, self) {
            (Algorithm::Exact, Self::Exact { admissions, .. }) => {
                Box::new(Forecast::new(solo::Exact::of(&admissions), terms))
            }
            (Algorithm::Exact, _) => Box::new(Forecast::new(solo::Exact::EMPTY, terms)),
            (Algorithm::Fixed, Self::Fixed(known)) => Box::new(Forecast::new(solo::Fixed::of(known), terms)),
            (Algorithm::Fixed, _) => Box::new(Forecast::new(solo::Fixed::EMPTY, terms)),
            (_, Self::Segmented(known)) => {
                let window = solo::Segmented::of(&terms.limits, algorithm, &known);
                Box::new(Forecast::new(window, terms))
            }
            _ => Box::new(Forecast::new(solo::Segmented::EMPTY, terms)),
        }
    }

    /// Without units of a segmented window that were charged at this instant.
    pub(crate) fn without(mut self, at: u64, units: u64) -> Self {
        if let Self::Segmented(Known { edges, .. }) = &mut self {
            let after = edges.iter().filter(|edge| edge.at > at).map(|edge| edge.units).max().unwrap_or(0);
            for edge in edges.iter_mut().filter(|edge| edge.at <= at) {
                edge.units = edge.units.saturating_sub(units).max(after);
            }
        }
        self
    }
}

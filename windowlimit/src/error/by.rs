//! The limit that refused, among the others.

use std::slice;

use crate::{lasting::Together, limit::Limit, others::Others};

/// The limit that refused, what it had left, and the others.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    /// The only one, or the only one that is known.
    Alone { remaining: u32, limit: Limit },
    /// One of these.
    Among {
        limits: &'static [Limit],
        /// Of the one that refused; else the others say it, since there is no room for both.
        #[cfg(not(feature = "http"))]
        remaining: u32,
        #[cfg(feature = "http")]
        others: Others,
    },
}

impl By {
    pub(super) const NONE: Self = Self::alone(Limit::NONE);

    /// A limit that has nothing left.
    pub(super) const fn alone(limit: Limit) -> Self {
        Self::Alone { remaining: 0, limit }
    }

    /// The same as one of these, with its place among them.
    pub(super) fn among(self, together: Together, others: Others) -> (Self, u8) {
        let (Self::Alone { limit, remaining }, Some(limits)) = (self, together) else { return (self, 0) };
        #[cfg(feature = "http")]
        let _ = remaining;
        #[cfg(not(feature = "http"))]
        let _ = others;
        let place = limits.iter().position(|one| *one == limit).map(u8::try_from);
        let Some(Ok(place)) = place else { return (self, 0) };
        let among = Self::Among {
            limits,
            #[cfg(not(feature = "http"))]
            remaining,
            #[cfg(feature = "http")]
            others,
        };
        (among, place)
    }

    pub(super) fn limits(&self) -> &[Limit] {
        match self {
            Self::Alone { limit, .. } => slice::from_ref(limit),
            Self::Among { limits, .. } => limits,
        }
    }

    /// The one that refused, which has this place.
    pub(super) fn limit(&self, place: u8) -> &Limit {
        match self {
            Self::Alone { limit, .. } => limit,
            Self::Among { limits, .. } => &limits[usize::from(place)],
        }
    }

    /// What that had left.
    pub(super) fn remaining(&self, place: u8) -> u32 {
        match self {
            Self::Alone { remaining, .. } => *remaining,
            #[cfg(feature = "http")]
            Self::Among { others, .. } => others.left_of(self.limit(place)),
            #[cfg(not(feature = "http"))]
            Self::Among { remaining, .. } => {
                let _ = place;
                *remaining
            }
        }
    }

    /// Of each other limit that is told of: the units left, and the seconds until there are more.
    #[cfg(feature = "http")]
    pub(super) fn others(&self, place: u8) -> Vec<(Limit, u32, u64)> {
        match self {
            Self::Alone { .. } => Vec::new(),
            Self::Among { limits, others } => others.read(self.limit(place), limits),
        }
    }
}

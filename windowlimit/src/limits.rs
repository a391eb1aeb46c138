//! The limits of one limiter, which are decided together, and what the decisions need to know of them at once.

use std::sync::Arc;

use crate::{
    lasting::{Together, lasting},
    limit::{InvalidLimit, Limit},
};

/// One limit or several over the same admissions.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// The first limit, beside the list: mostly the only one, it is decided without a loop or another load.
    first: Limit,
    list: List,
    /// The largest `max`: no window needs to remember more admissions than that.
    largest: u32,
    /// The smallest `max`: a call that costs more can never fit. 0 without limits, so that nothing gets through.
    smallest: u32,
}

#[derive(Clone, Debug)]
enum List {
    One,
    Borrowed(&'static [Limit]),
    /// One list more than are kept for the life of the process.
    Shared(Arc<[Limit]>),
    /// There is no limit to apply: everything is refused, and this says why.
    Invalid(InvalidLimit),
}

impl Limits {
    pub(crate) const fn one(limit: Limit) -> Self {
        Self { first: limit, list: List::One, largest: limit.max(), smallest: limit.max() }
    }

    pub(crate) const fn borrowed(limits: &'static [Limit]) -> Self {
        match limits {
            [] => Self::invalid(InvalidLimit::NO_LIMIT),
            [limit] => Self::one(*limit),
            [first, ..] => {
                let (smallest, largest) = extremes(limits);
                Self { first: *first, list: List::Borrowed(limits), largest, smallest }
            }
        }
    }

    pub(crate) fn shared(limits: &[Limit]) -> Self {
        match limits {
            [] => Self::invalid(InvalidLimit::NO_LIMIT),
            [limit] => Self::one(*limit),
            [first, ..] => {
                let (smallest, largest) = extremes(limits);
                let list = lasting(limits).map_or_else(|| List::Shared(limits.into()), List::Borrowed);
                Self { first: *first, list, largest, smallest }
            }
        }
    }

    pub(crate) const fn invalid(why: InvalidLimit) -> Self {
        Self { first: Limit::NONE, list: List::Invalid(why), largest: 0, smallest: 0 }
    }

    /// The first limit; nothing that could be decided if they are invalid.
    #[inline]
    pub(crate) const fn first(&self) -> &Limit {
        &self.first
    }

    /// Whether the first is the only one.
    #[inline]
    pub(crate) const fn is_one(&self) -> bool {
        matches!(self.list, List::One)
    }

    /// Whether there is one limit that has room for a call: most limiters have no others.
    pub(crate) const fn are_plain(&self) -> bool {
        self.is_one() && self.can_fit(1)
    }

    /// The limits after the first.
    pub(crate) fn others(&self) -> &[Limit] {
        self.as_slice().get(1..).unwrap_or_default()
    }

    /// Every limit, in the order they were given; empty if they are invalid.
    pub(crate) fn as_slice(&self) -> &[Limit] {
        match &self.list {
            List::One => std::slice::from_ref(&self.first),
            List::Borrowed(limits) => limits,
            List::Shared(limits) => limits,
            List::Invalid(_) => &[],
        }
    }

    /// All of them, if they are several and last.
    pub(crate) const fn together(&self) -> Together {
        match self.list {
            List::Borrowed(limits) => Some(limits),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn largest(&self) -> u32 {
        self.largest
    }

    /// Whether a call of this cost could ever be admitted.
    #[inline]
    pub(crate) const fn can_fit(&self, cost: u32) -> bool {
        cost <= self.smallest
    }

    /// The longest window, in nanoseconds: no admission counts for longer. 0 without limits.
    pub(crate) fn longest(&self) -> u64 {
        Self::longest_of(self.as_slice())
    }

    pub(crate) const fn longest_of(limits: &[Limit]) -> u64 {
        let (mut longest, mut i) = (0, 0);
        while i < limits.len() {
            if limits[i].nanos() > longest {
                longest = limits[i].nanos();
            }
            i += 1;
        }
        longest
    }

    /// The limit that stands in the way of every call that cannot fit.
    pub(crate) fn strictest(&self) -> Limit {
        self.as_slice().iter().copied().min_by_key(Limit::max).unwrap_or(Limit::NONE)
    }

    pub(crate) const fn fault(&self) -> Option<InvalidLimit> {
        match self.list {
            List::Invalid(why) => Some(why),
            _ => None,
        }
    }
}

/// The smallest and the largest `max`; a loop, since iterators are not `const`.
const fn extremes(limits: &[Limit]) -> (u32, u32) {
    let (mut smallest, mut largest) = (u32::MAX, 0);
    let mut i = 0;
    while i < limits.len() {
        let max = limits[i].max();
        if max < smallest {
            smallest = max;
        }
        if max > largest {
            largest = max;
        }
        i += 1;
    }
    (smallest, largest)
}

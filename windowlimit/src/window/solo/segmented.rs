//! A segmented window of one owner: an exact one in which all units of a segment are entered at its end.
//!
//! A unit counts until the end of its segment has left the window. That is what an exact window makes of a unit that comes
//! at that end; and as units of one instant share a record, it holds one for each segment, n + 1 at most.

use std::borrow::Cow;

use super::Solo;
use crate::{
    algorithm::Algorithm,
    limit::Limit,
    usage::Usage,
    window::{
        answer::Full,
        log::{Admission, Log},
        marks::Known,
        rules::Rules,
    },
};

/// A part for each length of a window.
#[derive(Clone, Default)]
pub(crate) struct Segmented(Option<Box<Parts>>);

/// One for each limit; behind them one for the longest window, if none of them is so long, which remembers for limits that
/// come later. (A list takes three words.)
#[derive(Clone)]
struct Parts(Vec<Part>);

#[derive(Clone)]
struct Part {
    window: u64,
    /// How long a segment is, in nanoseconds.
    length: u64,
    /// Units at the ends of their segments.
    units: Log,
}

const _: () = assert!(size_of::<Segmented>() == 8);

impl Part {
    fn is_for(&self, limit: &Limit) -> bool {
        self.window == limit.nanos()
    }

    /// The end of the segment of an instant, at which its units are entered.
    fn end(&self, at: u64) -> u64 {
        (at / self.length + 1).saturating_mul(self.length)
    }

    /// The instant or, if there is a later segment, the start of that.
    fn time(&self, now: u64) -> u64 {
        now.max(self.units.newest().saturating_sub(self.length))
    }
}

impl Segmented {
    /// The windows of these limits, by what is known of the units.
    pub(crate) fn of(limits: &[Limit], algorithm: Algorithm, known: &Known) -> Self {
        let parts = limits.iter().map(|limit| {
            let length = algorithm.segment(limit).unwrap_or(limit.nanos());
            let mut part = Part { window: limit.nanos(), length, units: Log::new([]) };
            // Between the edges, of which each segment's border is one, units are charged to one segment.
            for edges in known.edges.windows(2) {
                let units = edges[0].units.saturating_sub(edges[1].units);
                if units > 0 {
                    part.units.enter(part.end(edges[0].at), units);
                }
            }
            part
        });
        Self(Some(Box::new(Parts(parts.collect()))))
    }

    fn parts(&self) -> &[Part] {
        self.0.as_ref().map_or(&[], |parts| parts.0.as_slice())
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.0.iter_mut().flat_map(|parts| parts.0.iter_mut())
    }

    fn time(&self, rules: &Rules<'_>, reading: u64) -> u64 {
        self.parts().iter().fold(reading.max(rules.since), |now, part| part.time(now))
    }

    /// Whether there is a part for each limit, and for the longest window.
    fn has_shape(&self, rules: &Rules<'_>) -> bool {
        let mut parts = self.parts().iter();
        let fits =
            rules.limits_and_longest().all(|limit| parts.next().is_some_and(|part| part.is_for(&limit)));
        fits && parts.next().is_none()
    }

    /// Has a part for each limit, and for the longest window.
    fn take_shape(&mut self, rules: &Rules<'_>, reading: u64) {
        if self.has_shape(rules) {
            return;
        }
        let now = self.time(rules, reading);
        let parts = self.parts();
        let heir = |limit: Limit| {
            // Where a limit cannot have its segments, the limiter has said so before.
            let length = rules.algorithm.segment(&limit).unwrap_or(limit.nanos());
            let same = parts.iter().find(|part| part.is_for(&limit));
            let mut part = Part { window: limit.nanos(), length, units: Log::new([]) };
            if let Some(same) = same {
                part.units = same.units.clone();
            } else if let Some(longest) = parts.iter().max_by_key(|part| part.window) {
                // What is known of a unit is the end of its segment, or now: it cannot have come later. (Entered after now,
                // it would put the time forward, and what else counts would leave too early.)
                let live = longest
                    .units
                    .admissions()
                    .filter(|admission| admission.at.saturating_add(longest.window) > rules.since);
                let moved: Vec<_> = live
                    .map(|Admission { at, units }| Admission { at: part.end(now.min(at - 1)), units })
                    .collect();
                part.units = Log::new(moved);
            }
            part
        };
        let parts: Vec<Part> = rules.limits_and_longest().map(heir).collect();
        self.0 = Some(Box::new(Parts(parts)));
    }
}

impl Solo for Segmented {
    const EMPTY: Self = Self(None);

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn claim(&mut self, rules: &Rules<'_>, reading: u64, cost: u32) -> Result<u64, Full> {
        if !self.has_shape(rules) {
            // A refusal leaves it as it is.
            let mut shaped = self.clone();
            shaped.take_shape(rules, reading);
            let now = shaped.claim(rules, reading, cost)?;
            if cost > 0 {
                *self = shaped;
            }
            return Ok(now);
        }
        let now = self.time(rules, reading);
        let each = self.parts().iter().zip(rules.limits);
        let each = each.map(|(part, limit)| part.units.judge(limit, 0, now, reading, cost));
        if let Some(full) = Full::last(each) {
            return Err(full);
        }
        if cost > 0 {
            for part in self.parts_mut() {
                let end = part.end(now);
                // What has left since the segment began may count again for a clock that goes back to that.
                part.units.drop_expired(part.window, end - part.length);
                part.units.enter(end, u64::from(cost));
            }
        }
        Ok(now)
    }

    fn usage(&self, rules: &Rules<'_>, reading: u64) -> Usage {
        let shaped = if self.has_shape(rules) {
            Cow::Borrowed(self)
        } else {
            let mut shaped = self.clone();
            shaped.take_shape(rules, reading);
            Cow::Owned(shaped)
        };
        let now = shaped.time(rules, reading);
        let each = shaped.parts().iter().zip(rules.limits);
        Usage::tightest(each.map(|(part, limit)| part.units.usage_of(limit, 0, now, reading)))
    }

    fn refund(&mut self, rules: &Rules<'_>, reading: u64, given: Admission) {
        let now = self.time(rules, reading);
        let counts = |part: &Part| now < part.end(given.at).saturating_add(part.window);
        if self.parts().iter().any(counts) {
            // Out of all parts: where it has left, it would count again for a clock that goes back.
            for part in self.parts_mut() {
                let given = Admission { at: part.end(given.at), ..given };
                part.units.take_out(u64::MAX, now, given);
            }
        }
    }

    fn idle_from(&self, _: &Rules<'_>) -> u64 {
        let ends = self.parts().iter().map(|part| part.units.newest().saturating_add(part.window));
        ends.max().unwrap_or(0)
    }
}

//! A time in the life of a limiter in which its limits and its kind of window stay the same.

use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    limit::{InvalidLimit, Limit},
    limits::Limits,
    sync::Mutex,
    usage::Usage,
    window::{
        answer::{Receipt, Stop},
        fixed::{Fixed, Open},
        log::{Admission, Log},
        marks::Edge,
        ring::Ring,
        segmented::Segmented,
    },
};

/// Limits, and the window that keeps them.
pub(crate) struct Era {
    pub(crate) limits: Limits,
    pub(crate) engine: Engine,
    /// No instant of this era is before this one, whatever the clock says.
    pub(crate) since: u64,
    /// How many resets came before. A permit of an earlier count has nothing to give back.
    pub(crate) resets: u64,
}

// The ring is what almost every limiter has, in place.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Engine {
    Ring(Ring),
    /// `None` if the era is over.
    Log(Mutex<Option<Log>>),
    Segmented(Segmented),
    Fixed(Fixed),
}

/// What an era leaves to the next one.
pub(crate) enum Legacy {
    Nothing,
    /// What was live, oldest first; and whether each call took one unit, so far.
    Exact {
        admissions: Vec<Admission>,
        in_units: bool,
    },
    Segmented(Vec<Edge>),
    /// The window of each limit.
    Fixed(Vec<(Limit, Open)>),
}

/// How an era is followed by another.
pub(crate) struct Next {
    pub(crate) limits: Limits,
    pub(crate) resets: u64,
    pub(crate) legacy: Legacy,
}

impl Legacy {
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
}

impl Era {
    /// The same again, with what is left of this one.
    pub(crate) fn followed_by(&self, legacy: Legacy) -> Next {
        Next { limits: self.limits.clone(), resets: self.resets, legacy }
    }

    /// An era that goes on from a legacy. Limits that cannot be kept are replaced by the reason.
    pub(crate) fn new(algorithm: Algorithm, limits: Limits, since: u64, resets: u64, legacy: Legacy) -> Self {
        match Engine::new(algorithm, &limits, since, legacy) {
            Ok(engine) => Self { limits, engine, since, resets },
            Err(why) => {
                Self { limits: Limits::invalid(why), engine: Engine::Ring(Ring::new(0)), since, resets }
            }
        }
    }

    /// Admits a call that takes so many units.
    pub(crate) fn claim<const RECEIPT: bool, C: Clock + ?Sized>(
        &self,
        clock: &C,
        cost: u32,
    ) -> Result<Option<Receipt>, Stop> {
        let Self { limits, since, .. } = self;
        if let Some(why) = limits.fault() {
            return Err(Stop::Misconfigured(why));
        }
        if !limits.can_fit(cost) {
            return Err(Stop::Never(limits.strictest()));
        }
        match &self.engine {
            Engine::Ring(ring) if cost == 1 => ring.claim::<RECEIPT, C>(limits, *since, clock),
            Engine::Ring(_) => Err(Stop::Uneven),
            Engine::Log(log) => {
                let mut log = log.lock();
                let log = log.as_mut().ok_or(Stop::Moved)?;
                // Read inside of the lock: who waits for it is not entered in the past.
                Ok(log.claim(limits, instant(clock), cost).map(Some)?)
            }
            Engine::Segmented(segmented) => segmented.claim(limits, *since, clock, cost).map(Some),
            Engine::Fixed(fixed) => fixed.claim(limits, *since, clock, cost).map(Some),
        }
    }

    /// The state of the tightest limit.
    pub(crate) fn usage<C: Clock + ?Sized>(&self, clock: &C) -> Result<Usage, Stop> {
        let Self { limits, since, .. } = self;
        match &self.engine {
            _ if limits.fault().is_some() => Ok(Usage::tightest(std::iter::empty())),
            Engine::Ring(ring) => ring.usage(limits, *since, clock),
            Engine::Log(log) => Ok(log.lock().as_mut().ok_or(Stop::Moved)?.usage(limits, instant(clock))),
            Engine::Segmented(segmented) => segmented.usage(limits, *since, clock),
            Engine::Fixed(fixed) => fixed.usage(limits, *since, clock),
        }
    }

    /// Ends the era: nothing is admitted in it any more. The instant from which the next one may go on, and what it
    /// goes on from. Only one thread may do so.
    pub(crate) fn close(&self, reading: u64) -> (u64, Legacy) {
        let reading = reading.max(self.since);
        match &self.engine {
            Engine::Ring(ring) => {
                let words = ring.close();
                let now = words.last().map_or(reading, |newest| newest.at().max(reading));
                let longest = self.limits.as_slice().iter().map(Limit::nanos).max().unwrap_or(0);
                let live = words.into_iter().filter(|word| word.is_live(now, longest));
                let admissions = live.map(|word| Admission { at: word.at(), units: 1 }).collect();
                (now, Legacy::Exact { admissions, in_units: true })
            }
            Engine::Log(log) => match log.lock().take() {
                None => (reading, Legacy::Nothing),
                Some(mut log) => {
                    let admissions = log.live_admissions(&self.limits, reading);
                    (log.time(reading), Legacy::Exact { admissions, in_units: false })
                }
            },
            Engine::Segmented(segmented) => {
                let (now, edges) = segmented.close(reading);
                (now, Legacy::Segmented(edges))
            }
            Engine::Fixed(fixed) => {
                let open = fixed.close();
                let now = open.iter().fold(reading, |now, open| open.time(now));
                let open = self.limits.as_slice().iter().zip(open);
                (now, Legacy::Fixed(open.map(|(limit, open)| (*limit, open.at(now, limit))).collect()))
            }
        }
    }
}

impl Engine {
    fn new(algorithm: Algorithm, limits: &Limits, since: u64, legacy: Legacy) -> Result<Self, InvalidLimit> {
        Ok(match (algorithm, legacy) {
            (Algorithm::Exact, Legacy::Exact { admissions, in_units: true }) => {
                let instants: Vec<u64> = admissions.iter().map(|admission| admission.at).collect();
                Self::Ring(Ring::from_admissions(limits.largest(), &instants))
            }
            (Algorithm::Exact, Legacy::Exact { admissions, .. }) => {
                Self::Log(Mutex::new(Some(Log::new(limits, since, admissions))))
            }
            (Algorithm::Exact, _) => Self::Ring(Ring::new(limits.largest())),
            (Algorithm::Segmented(_) | Algorithm::SegmentedBy(_), legacy) => {
                let lengths = limits.as_slice().iter().map(|limit| algorithm.segment(limit));
                let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
                let edges = if let Legacy::Segmented(edges) = legacy { edges } else { Vec::new() };
                Self::Segmented(Segmented::new(limits, &lengths, since, &edges))
            }
            (Algorithm::Fixed, legacy) => {
                let known = if let Legacy::Fixed(known) = legacy { known } else { Vec::new() };
                let each = limits.as_slice().iter().map(|limit| heir(limit, &known));
                Self::Fixed(Fixed::new(limits, since, each.collect()))
            }
        })
    }
}

/// The window that goes on for a limit: that of the limit with the same length or, if there was none, of the longest.
fn heir(limit: &Limit, known: &[(Limit, Open)]) -> Open {
    let same = known.iter().find(|(known, _)| known.nanos() == limit.nanos());
    let longest = || known.iter().max_by_key(|(known, _)| known.nanos());
    same.or_else(longest).map_or(Open::NONE, |(_, open)| *open)
}

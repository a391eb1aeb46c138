//! A time in the life of a limiter in which its limits and its kind of window stay the same.

use std::slice;

use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    limit::{InvalidLimit, Limit},
    limits::Limits,
    others::Others,
    sync::{Mutex, const_fn},
    usage::Usage,
    window::{
        answer::{Receipt, Stop, Told},
        fixed::{Fixed, heir},
        legacy::Legacy,
        log::{Admission, Log},
        ring::Ring,
        rules::Rules,
        segmented::Segmented,
    },
};

/// Limits, and the window that keeps them.
pub(crate) struct Era {
    pub(crate) algorithm: Algorithm,
    pub(crate) limits: Limits,
    pub(crate) engine: Engine,
    /// No decision of this era is made before this instant, whatever the clock says.
    pub(crate) since: u64,
    /// How often permits have lost their meaning. One of an earlier count has nothing to give back.
    pub(crate) voided: u64,
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

/// How an era is followed by another.
pub(crate) struct Next {
    /// The instant at which it begins.
    pub(crate) begins: u64,
    pub(crate) limits: Limits,
    pub(crate) since: u64,
    pub(crate) voided: u64,
    pub(crate) legacy: Legacy,
}

impl Era {
    /// The next era. Limits that cannot be kept are replaced by the reason.
    pub(crate) fn new(algorithm: Algorithm, next: Next) -> Self {
        let Next { begins, limits, since, voided, legacy } = next;
        match Engine::new(algorithm, &limits, begins, legacy) {
            Ok(engine) => Self { algorithm, limits, engine, since, voided },
            Err(why) => Self { since, voided, ..Self::first(Limits::invalid(why)) },
        }
    }

    const_fn! {
        /// The first era of an exact window.
        pub(crate) fn first(limits: Limits) -> Self {
            let algorithm = Algorithm::Exact;
            let engine = Engine::Ring(Ring::new(limits.largest()));
            Self { algorithm, limits, engine, since: 0, voided: 0 }
        }
    }

    /// Makes the first era that of another kind of window, which begins with the next one.
    pub(crate) const fn set_algorithm(&mut self, algorithm: Algorithm) {
        self.algorithm = algorithm;
    }

    /// The same again, with what is left of this one.
    pub(crate) fn followed_by(&self, begins: u64, legacy: Legacy) -> Next {
        Next { begins, limits: self.limits.clone(), since: self.since, voided: self.voided, legacy }
    }

    /// Whether a call that takes so many units can ever be admitted.
    pub(crate) fn examine(&self, cost: u32) -> Result<(), Stop> {
        match self.limits.fault() {
            Some(why) => Err(Stop::Misconfigured(why)),
            None if !self.limits.can_fit(cost) => Err(Stop::Never(self.limits.strictest())),
            None => Ok(()),
        }
    }

    /// Admits a call that takes so many units. With `RECEIPT`, it says what it left.
    pub(crate) fn claim<const RECEIPT: bool, C: Clock + ?Sized>(
        &self,
        clock: &C,
        cost: u32,
    ) -> Result<Option<Told>, Stop> {
        self.examine(cost)?;
        let Self { limits, since, .. } = self;
        match &self.engine {
            Engine::Ring(ring) if cost == 1 => ring.claim::<RECEIPT, C>(limits, *since, clock),
            Engine::Ring(_) => Err(Stop::Uneven),
            Engine::Log(log) => {
                let mut log = log.lock();
                let log = log.as_mut().ok_or(Stop::Moved)?;
                // Read inside of the lock: who waits for it is not entered in the past.
                let (rules, reading) = (self.rules(), instant(clock));
                let claimed = log.claim(&rules, reading, cost);
                let others = |named: &Limit, left| Others::of(named, left, usages_of(log, &rules, reading));
                match claimed {
                    Ok(at) => Ok(RECEIPT.then(|| {
                        let usage = log.usage(&rules, reading);
                        (Receipt { usage, at, cost }, others(usage.tightest_limit(), usage.remaining()))
                    })),
                    Err(full) => Err(Stop::Full(full, others(&full.limit, full.remaining))),
                }
            }
            Engine::Segmented(segmented) => segmented.claim::<RECEIPT, C>(limits, *since, clock, cost),
            Engine::Fixed(fixed) => fixed.claim::<RECEIPT, C>(limits, *since, clock, cost),
        }
    }

    /// The state of each limit, in their order.
    pub(crate) fn usages<C: Clock + ?Sized>(&self, clock: &C) -> Result<Vec<Usage>, Stop> {
        let Self { limits, since, .. } = self;
        match &self.engine {
            _ if limits.fault().is_some() => Ok(Vec::new()),
            Engine::Ring(ring) => ring.usages(limits, *since, clock),
            Engine::Log(log) => {
                let (log, rules) = (log.lock(), self.rules());
                Ok(usages_of(log.as_ref().ok_or(Stop::Moved)?, &rules, instant(clock)).collect())
            }
            Engine::Segmented(segmented) => segmented.usages(limits, *since, clock),
            Engine::Fixed(fixed) => fixed.usages(limits, *since, clock),
        }
    }

    /// What the window knows, as [`close`](Self::close) would leave it, as far as it matters to so many more units; `None`
    /// if it was closed.
    pub(crate) fn look(&self, reading: u64, units: u64) -> Option<Legacy> {
        Some(match &self.engine {
            Engine::Ring(ring) => {
                Legacy::Exact { admissions: ring.decisive(&self.limits, units)?, in_units: false }
            }
            Engine::Log(log) => {
                let decisive = log.lock().as_ref()?.decisive(self.limits.as_slice(), units);
                Legacy::Exact { admissions: decisive.admissions().collect(), in_units: false }
            }
            Engine::Segmented(segmented) => Legacy::Segmented(segmented.look(reading.max(self.since))?),
            Engine::Fixed(fixed) => {
                Legacy::Fixed(self.limits.as_slice().iter().copied().zip(fixed.look()?).collect())
            }
        })
    }

    /// What its log goes by.
    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules {
            algorithm: Algorithm::Exact,
            limits: self.limits.as_slice(),
            longest: self.limits.longest(),
            since: self.since,
            forgotten: 0,
            first: None,
            is_plain: false,
        }
    }

    /// Ends the era: nothing is admitted in it any more. The instant at which it ends, which is that of the reading or a
    /// later one, and what it leaves. Only one thread may do so.
    pub(crate) fn close(&self, reading: u64) -> (u64, Legacy) {
        let reading = reading.max(self.since);
        match &self.engine {
            Engine::Ring(ring) => {
                let words = ring.close();
                let now = words.last().map_or(reading, |newest| newest.at().max(reading));
                let admissions =
                    words.into_iter().map(|word| Admission { at: word.at(), units: 1 }).collect();
                (now, Legacy::Exact { admissions, in_units: true })
            }
            Engine::Log(log) => match log.lock().take() {
                None => (reading, Legacy::Nothing),
                Some(log) => {
                    let admissions = log.admissions().collect();
                    (log.time(&self.rules(), reading), Legacy::Exact { admissions, in_units: false })
                }
            },
            Engine::Segmented(segmented) => {
                let (now, known) = segmented.close(reading);
                (now, Legacy::Segmented(known))
            }
            Engine::Fixed(fixed) => {
                let open = fixed.close();
                let now = open.iter().fold(reading, |now, open| open.time(now));
                let open = self.limits.as_slice().iter().copied().zip(open);
                (now, Legacy::Fixed(open.collect()))
            }
        }
    }
}

/// The state of each limit in a log.
fn usages_of<'l>(log: &'l Log, rules: &'l Rules<'_>, reading: u64) -> impl Iterator<Item = Usage> + 'l {
    rules
        .limits
        .iter()
        .map(move |limit| log.usage(&Rules { limits: slice::from_ref(limit), ..*rules }, reading))
}

impl Engine {
    fn new(algorithm: Algorithm, limits: &Limits, now: u64, legacy: Legacy) -> Result<Self, InvalidLimit> {
        Ok(match (algorithm, legacy) {
            (Algorithm::Exact, Legacy::Exact { admissions, in_units: true }) => {
                let instants: Vec<u64> = admissions.iter().map(|admission| admission.at).collect();
                Self::Ring(Ring::from_admissions(limits.largest(), &instants))
            }
            (Algorithm::Exact, Legacy::Exact { admissions, .. }) => {
                Self::Log(Mutex::new(Some(Log::new(admissions))))
            }
            (Algorithm::Exact, _) => Self::Ring(Ring::new(limits.largest())),
            (Algorithm::Segmented(_) | Algorithm::SegmentedBy(_), legacy) => {
                let lengths = limits.as_slice().iter().map(|limit| algorithm.segment(limit));
                let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
                let edges = if let Legacy::Segmented(known) = legacy { known.edges } else { Vec::new() };
                Self::Segmented(Segmented::new(limits, &lengths, now, &edges))
            }
            (Algorithm::Fixed, legacy) => {
                let known = if let Legacy::Fixed(known) = legacy { known } else { Vec::new() };
                let each = limits.as_slice().iter().map(|limit| heir(limit, &known));
                Self::Fixed(Fixed::new(limits, now, each.collect()))
            }
        })
    }
}

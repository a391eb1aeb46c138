//! What is measured, the same for every benchmark: the engines of windowlimit, and others that limit a rate.
//!
//! Each says which clock it reads, so that those can be compared that read the same.

mod by_hand;
mod clocks;
mod functions;
mod ours;
mod peers;

use std::time::Duration;

use windowlimit::{Clock as _, SystemClock};

pub(crate) use self::clocks::StdClock;

/// Whether every call is admitted or every call is refused, for as long as a benchmark lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Admit,
    Refuse,
}

/// Room for a call in each of them is more than can be made here.
const NANOS: u64 = 5;

impl Case {
    pub(crate) const BOTH: [Self; 2] = [Self::Admit, Self::Refuse];

    pub(crate) fn admits(self) -> bool {
        self == Self::Admit
    }

    /// The window of a limit that has room for a call each five nanoseconds, so that a window holds one or two hundred of
    /// every thousand; or the window of a limit that is used up for an hour.
    fn window(self, max: u32) -> Duration {
        match self {
            Self::Admit => Duration::from_nanos(NANOS) * max,
            Self::Refuse => Duration::from_secs(3600),
        }
    }
}

/// The clock that a subject reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// `SystemClock`, ours by default.
    System,
    /// `std::time::Instant`.
    Std,
    /// The counter of the processor, by the crate quanta.
    Counter,
}

/// Something that decides, and its name in the tables.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    #[allow(dead_code, reason = "not every benchmark asks for it")]
    pub(crate) reads: Reads,
    /// Called through a pointer: inlined into the loop of a harness, what is measured is how the harness and the code
    /// under it share their registers.
    pub(crate) decide: Decide,
}

pub(crate) type Decide = Box<dyn Fn() -> bool + Send + Sync>;

impl Subject {
    /// Those that a benchmark asks for by name.
    pub(crate) const CLOCK: &'static str = "the clock alone";
    pub(crate) const FLOOR: &'static str = "a clock read, a load, a compare-and-swap";
    pub(crate) const RING: &'static str = "windowlimit, ring";
    pub(crate) const RING_STD: &'static str = "windowlimit, ring, `Instant`";
    #[cfg(feature = "quanta")]
    pub(crate) const RING_COUNTER: &'static str = "windowlimit, ring, `QuantaClock`";
    pub(crate) const GOVERNOR: &'static str = "governor";
    pub(crate) const GOVERNOR_STD: &'static str = "governor, `MonotonicClock`";
    pub(crate) const GOVERNOR_DEFAULT: &'static str = "governor, its default clock";
    pub(crate) const RATELIMIT: &'static str = "ratelimit";
    pub(crate) const LEAKY_BUCKET: &'static str = "leaky-bucket";
    pub(crate) const STD_MUTEX: &'static str = "`std` mutex, `VecDeque`";
    pub(crate) const STD_MUTEX_OUTSIDE: &'static str = "`std` mutex, clock read outside";
    pub(crate) const PARKING_LOT: &'static str = "`parking_lot` mutex, `VecDeque`";
    pub(crate) const RATE_NET: &'static str = "rate-net, `SlidingWindowLog`";
    pub(crate) const THROTTLE_NET: &'static str = "throttle-net, `SlidingWindowLog`";
    pub(crate) const THROTTLE_MY_FN: &'static str = "throttle_my_fn";
    pub(crate) const TOWER_RESILIENCE: &'static str = "tower-resilience, `SlidingLog`";

    /// In a state in which they go on as the case says.
    fn new(
        name: &'static str,
        reads: Reads,
        case: Case,
        decide: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        if case == Case::Refuse {
            while decide() {}
        }
        Self { name, reads, decide: Box::new(decide) }
    }

    /// The bare reading of the clock, the floor of all others.
    fn clock(case: Case) -> Self {
        let admits = case.admits();
        // Readings start above 0.
        Self::new(Self::CLOCK, Reads::System, case, move || (SystemClock.now() > 0) == admits)
    }
}

/// All of them, with this limit.
pub(crate) fn all(max: u32, case: Case) -> Vec<Subject> {
    let mut subjects = vec![Subject::clock(case)];
    subjects.extend(ours::all(max, case));
    subjects.extend(peers::all(max, case));
    subjects.extend(by_hand::all(max, case));
    subjects.extend(functions::all(max, case));
    subjects
}

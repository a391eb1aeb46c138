//! What is measured, the same for every benchmark: the engines of windowlimit, and others that limit a rate.
//!
//! All read the same clock. Ours, governor and the mutexes read `SystemClock`; rate-net and throttle-net read what it
//! reads, `std::time::Instant`, and subtract an origin as it does.

mod ours;
mod peers;

use std::time::Duration;

use windowlimit::{Clock as _, SystemClock};

/// Whether every call is admitted or every call is refused, for as long as a benchmark lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Admit,
    Refuse,
}

impl Case {
    pub(crate) const BOTH: [Self; 2] = [Self::Admit, Self::Refuse];

    pub(crate) fn admits(self) -> bool {
        self == Self::Admit
    }

    /// The window of a limit that has room for a call each ten nanoseconds, which is more than can be made here, so
    /// that a window holds some hundreds of every thousand; or the window of a limit that is used up for an hour.
    fn window(self, max: u32) -> Duration {
        match self {
            Self::Admit => Duration::from_nanos(10) * max,
            Self::Refuse => Duration::from_secs(3600),
        }
    }
}

/// Something that decides, and its name in the tables.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// Called through a pointer: inlined into the loop of a harness, what is measured is how the harness and the code
    /// under it share their registers.
    pub(crate) decide: Decide,
}

pub(crate) type Decide = Box<dyn Fn() -> bool + Send + Sync>;

impl Subject {
    /// Those that a benchmark asks for by name.
    pub(crate) const RING: &'static str = "windowlimit, ring";
    pub(crate) const GOVERNOR: &'static str = "governor";
    pub(crate) const STD_MUTEX: &'static str = "`std` mutex, `VecDeque`";

    /// In a state in which they go on as the case says.
    fn new(name: &'static str, case: Case, decide: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        if case == Case::Refuse {
            while decide() {}
        }
        Self { name, decide: Box::new(decide) }
    }

    /// The bare reading of the clock, the floor of all others.
    fn clock(case: Case) -> Self {
        let admits = case.admits();
        // Readings start above 0.
        Self::new("the clock alone", case, move || (SystemClock.now() > 0) == admits)
    }
}

/// All of them, with this limit.
pub(crate) fn all(max: u32, case: Case) -> Vec<Subject> {
    let mut subjects = vec![Subject::clock(case)];
    subjects.extend(ours::all(max, case));
    subjects.extend(peers::all(max, case));
    subjects
}

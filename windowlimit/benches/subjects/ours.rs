//! The engines of windowlimit, and the least that a limiter could do.

use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(feature = "quanta")]
use windowlimit::QuantaClock;
use windowlimit::{Algorithm, Clock, Limit, Limiter, SystemClock};

use super::{Case, Reads, StdClock, Subject};

pub(super) fn all(max: u32, case: Case) -> Vec<Subject> {
    let exact = || limiter(max, case, Algorithm::Exact, SystemClock);
    let on_std = limiter(max, case, Algorithm::Exact, StdClock);
    vec![
        floor(case),
        subject(Subject::RING, Reads::System, case, exact()),
        subject(Subject::RING_STD, Reads::Std, case, on_std),
        #[cfg(feature = "quanta")]
        subject(
            Subject::RING_COUNTER,
            Reads::Counter,
            case,
            limiter(max, case, Algorithm::Exact, QuantaClock),
        ),
        subject("windowlimit, log", Reads::System, case, with_a_cost(exact())),
        subject(
            "windowlimit, segmented(10)",
            Reads::System,
            case,
            limiter(max, case, Algorithm::Segmented(10), SystemClock),
        ),
        subject("windowlimit, fixed", Reads::System, case, limiter(max, case, Algorithm::Fixed, SystemClock)),
    ]
}

/// What no limiter that is shared can do without: the state is read, then the clock, and to admit the state is changed, if
/// nobody else did.
fn floor(case: Case) -> Subject {
    let (state, admits) = (AtomicU64::new(0), case.admits());
    Subject::new(Subject::FLOOR, Reads::System, case, move || {
        let seen = state.load(Ordering::Acquire);
        let now = SystemClock.now();
        if admits {
            let newer = now.max(seen + 1);
            state.compare_exchange(seen, newer, Ordering::AcqRel, Ordering::Acquire).is_ok()
        } else {
            // Readings start above 0.
            now <= seen
        }
    })
}

fn subject<C: Clock + Send + Sync + 'static>(
    name: &'static str,
    reads: Reads,
    case: Case,
    limiter: Limiter<C>,
) -> Subject {
    Subject::new(name, reads, case, move || limiter.check().is_ok())
}

fn limiter<C: Clock>(max: u32, case: Case, algorithm: Algorithm, clock: C) -> Limiter<C> {
    let limit = Limit::new(max, case.window(max)).expect("the window is above zero");
    let builder = Limiter::builder().limit(limit).algorithm(algorithm).clock(clock);
    builder.build().expect("there is a limit and a few segments")
}

/// An exact window keeps a log from its first call on that takes more than one unit.
fn with_a_cost(limiter: Limiter) -> Limiter {
    limiter.check_n(2).expect("the window is empty");
    limiter
}

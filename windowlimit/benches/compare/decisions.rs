//! One thread and one limiter: calls one after the other, and calls with a fence between them.
//!
//! Back to back, a processor begins a call before the one before it has ended. Behind a fence it does not, so that what is
//! measured is how long a caller waits; what the fence takes is taken off.

use std::{
    hint::black_box,
    sync::atomic::{Ordering, fence},
    time::Instant,
};

use crate::{
    Extent,
    chart::Panel,
    report::{Goal, Report, Row},
    rounds::{Rounds, median},
    subjects::{self, Case, Decide, Reads, Subject},
};

/// A window that has outgrown the limiter itself.
const LIMIT: u32 = 1_000;

/// Calls between two readings of the clock, and how often: of so many the median counts, so that a call that was
/// interrupted does not.
const CALLS: u32 = 256;
const BATCHES: usize = 41;

const ROUNDS: usize = 100;

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    for case in Case::BOTH {
        let subjects = subjects::all(LIMIT, case);
        let count = subjects.len();
        let found =
            Rounds::of(extent.rounds(ROUNDS), count, |place| nanos::<false>(&subjects[place].decide, case));
        report.group(
            &format!("{case:?}, one thread, calls back to back, ns"),
            rows(case, &subjects, &found, true),
        );
        let times = |place| found.median(place);
        report.panels.push(Panel::new(&format!("{case:?}, one thread"), &subjects, times));
        // The last one is a call that does nothing.
        let admits = case.admits();
        let nothing: Decide = Box::new(move || black_box(admits));
        let found = Rounds::of(extent.rounds(ROUNDS), count + 1, |place| {
            nanos::<true>(subjects.get(place).map_or(&nothing, |subject| &subject.decide), case)
        });
        report.group(
            &format!("{case:?}, one thread, a fence between calls, ns"),
            rows(case, &subjects, &found.less(count), false),
        );
    }
    report.note(format!(
        "One thread: a limit of {LIMIT}, once with room for a call each 5 ns, which nobody can use up, once used up for an \
         hour. Each is called through a pointer. `SystemClock`, `Instant` and the counter that quanta reads are three clocks; \
         where a row does not say \"default\", both sides read the same one. tower-resilience can only be had with a service \
         behind it, which does nothing here."
    ));
    report.note(
        "Behind a fence: `fence(SeqCst)`, which waits until the call before it has written what it writes, and for which all waits \
         that the next one reads; without it a processor begins a call before the one before it has ended. What a call of \
         nothing takes with it is taken off all of them.",
    );
}

/// The nanoseconds of a call: the median of some batches.
fn nanos<const FENCE: bool>(decide: &Decide, case: Case) -> f64 {
    let mut strange = 0;
    let batches = [(); BATCHES].map(|()| {
        let before = Instant::now();
        for _ in 0..CALLS {
            strange += u32::from(decide() != case.admits());
            if FENCE {
                fence(Ordering::SeqCst);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "far from it")]
        let nanos = before.elapsed().as_nanos() as f64;
        nanos / f64::from(CALLS)
    });
    // Some judge a caller that lost its core by the time that it had read before.
    let most = u32::try_from(BATCHES).expect("some") * CALLS / 10;
    assert!(strange <= most, "{strange} answers are not of the case {case:?}");
    median(batches.into_iter())
}

/// All that are exact: what a log takes, however it is written.
pub(crate) const LOGS: [&str; 7] = [
    Subject::RATE_NET,
    Subject::THROTTLE_NET,
    Subject::TOWER_RESILIENCE,
    Subject::THROTTLE_MY_FN,
    Subject::STD_MUTEX,
    Subject::STD_MUTEX_OUTSIDE,
    Subject::PARKING_LOT,
];

const APPROXIMATE: [&str; 2] = [Subject::RATELIMIT, Subject::LEAKY_BUCKET];

/// The exact window of ours that reads the same clock.
pub(crate) fn ours(reads: Reads) -> &'static str {
    match reads {
        Reads::System => Subject::RING,
        Reads::Std => Subject::RING_STD,
        Reads::Counter => Subject::RING_COUNTER,
    }
}

/// Where this one is, if it is there: without the feature `quanta` some are not.
pub(crate) fn place(subjects: &[Subject], name: &str) -> Option<usize> {
    subjects.iter().position(|subject| subject.name == name)
}

fn rows(case: Case, subjects: &[Subject], found: &Rounds, is_throughput: bool) -> Vec<Row> {
    // The goals of the default clocks are about throughput; behind a fence, they are stated.
    let default = match (case, is_throughput) {
        (Case::Admit, true) => Goal::AtMost(1.15),
        (Case::Refuse, true) => Goal::AtMost(0.6),
        (_, false) => Goal::None,
    };
    let floor = if case == Case::Admit { Goal::AtMost(1.1) } else { Goal::None };
    let governor = Goal::AtMost(1.0);
    let mut pairs = vec![
        ("default clocks", Subject::RING, Subject::GOVERNOR_DEFAULT, default),
        ("`SystemClock`", Subject::RING, Subject::GOVERNOR, governor),
        ("`Instant`", Subject::RING_STD, Subject::GOVERNOR_STD, governor),
        ("`QuantaClock`", Subject::RING_COUNTER, Subject::GOVERNOR_DEFAULT, governor),
        ("`SystemClock`", Subject::RING, Subject::FLOOR, floor),
        ("`SystemClock`", Subject::RING, Subject::CLOCK, Goal::None),
    ];
    for name in LOGS.into_iter().chain(APPROXIMATE) {
        let Some(place) = place(subjects, name) else { continue };
        let (what, ours) = match subjects[place].reads {
            Reads::System => ("`SystemClock`", Subject::RING),
            Reads::Std => ("`Instant`", Subject::RING_STD),
            Reads::Counter => ("`QuantaClock`", Subject::RING_COUNTER),
        };
        pairs.push((what, ours, name, Goal::Below(1.0)));
    }
    let row = |(what, ours, peer, goal)| {
        let (ours, theirs) = (place(subjects, ours)?, place(subjects, peer)?);
        let beside = (peer, found.median(theirs));
        Some(Row::beside(what, found.median(ours), beside, found.ratio(ours, theirs), goal))
    };
    pairs.into_iter().filter_map(row).collect()
}

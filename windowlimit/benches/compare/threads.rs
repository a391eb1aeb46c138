//! Two threads on one limiter: how many calls they make, and how long the slowest of a thousand takes.

use hdrhistogram::Histogram;

use crate::{
    Extent,
    chart::Panel,
    decisions::{LOGS, ours, place},
    latency::{empty, times_of_all},
    report::{Goal, Report, Row},
    rounds::Rounds,
    subjects::{self, Case, Subject},
    throughput::pace,
};

const LIMIT: u32 = 1_000;
const ROUNDS: usize = 40;

/// The first of them is ours.
const TIMED: [&str; 3] = [Subject::RING, Subject::GOVERNOR, Subject::STD_MUTEX];

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let mut strange = 0;
    for case in Case::BOTH {
        let subjects = subjects::all(LIMIT, case);
        let (count, mut disturbed) = (subjects.len(), 0);
        // Each twice: first by one thread, then by two.
        let found = Rounds::of(extent.rounds(ROUNDS), 2 * count, |place| {
            let pace = pace(&subjects[place % count], case, 1 + place / count, &mut disturbed);
            strange += pace.strange;
            #[expect(clippy::cast_precision_loss, reason = "far from it")]
            let millions = pace.calls as f64 / 1_000.0;
            millions
        });
        report.group(
            &format!("{case:?}, two threads on one limiter, millions of calls a second of both"),
            rows(case, &subjects, &found),
        );
        let nanos = |place| 1_000.0 / found.median(count + place);
        report.panels.push(Panel::new(&format!("{case:?}, two threads"), &subjects, nanos));
        report.group(
            &format!("{case:?}, two threads on one limiter, ns of a call, the slowest of a thousand"),
            slowest(extent, case, &subjects),
        );
    }
    report.note(format!(
        "Two threads: the ratios are of throughput, ours to theirs; nothing is pinned to a core. A call whose time is measured \
         includes two readings of the clock beside its own, about one of them in its time. Answers that are not of the case \
         ({strange} here) are of those who judge a caller that lost its core by the time that it had read before."
    ));
}

fn rows(case: Case, subjects: &[Subject], found: &Rounds) -> Vec<Row> {
    let count = subjects.len();
    let scales = |name, goal| {
        let one = place(subjects, name)?;
        let two = count + one;
        let what = if name == Subject::RING { "two threads to one" } else { "the same, of the clock alone" };
        Some(Row::beside(
            what,
            found.median(two),
            ("one thread", found.median(one)),
            found.ratio(two, one),
            goal,
        ))
    };
    let (scaling, governor, mutex) = match case {
        Case::Admit => (Goal::None, Goal::AtLeast(0.6), Goal::AtLeast(2.0)),
        Case::Refuse => (Goal::AtLeast(2.0), Goal::None, Goal::Above(1.0)),
    };
    let mut pairs = vec![
        ("default clocks", Subject::RING, Subject::GOVERNOR_DEFAULT, Goal::None),
        ("`SystemClock`", Subject::RING, Subject::GOVERNOR, governor),
    ];
    for name in LOGS {
        let Some(place) = place(subjects, name) else { continue };
        let goal = if name == Subject::STD_MUTEX { mutex } else { Goal::Above(1.0) };
        let ours = ours(subjects[place].reads);
        let what = if ours == Subject::RING { "`SystemClock`" } else { "`Instant`" };
        pairs.push((what, ours, name, goal));
    }
    let row = |(what, ours, peer, goal)| {
        let (ours, theirs) = (count + place(subjects, ours)?, count + place(subjects, peer)?);
        let beside = (peer, found.median(theirs));
        Some(Row::beside(what, found.median(ours), beside, found.ratio(ours, theirs), goal))
    };
    let scaling = [scales(Subject::RING, scaling), scales(Subject::CLOCK, Goal::None)];
    scaling.into_iter().flatten().chain(pairs.into_iter().filter_map(row)).collect()
}

/// The 99.9th percentile of all calls in all rounds.
fn slowest(extent: Extent, case: Case, subjects: &[Subject]) -> Vec<Row> {
    let mut all: [Histogram<u64>; TIMED.len()] = std::array::from_fn(|_| empty());
    for _ in 0..extent.rounds(ROUNDS) {
        for (all, name) in all.iter_mut().zip(TIMED) {
            let place = place(subjects, name).expect("these are always there");
            *all += times_of_all(&subjects[place], case, 2);
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "far from it")]
    let [ours, governor, mutex] = all.map(|times| times.value_at_quantile(0.999) as f64);
    vec![
        Row::alone("`SystemClock`, ours alone", ours, Goal::Below(1_000.0)),
        Row::beside("`SystemClock`", ours, (Subject::GOVERNOR, governor), ours / governor, Goal::None),
        Row::beside("`SystemClock`", ours, (Subject::STD_MUTEX, mutex), ours / mutex, Goal::Below(1.0)),
    ]
}

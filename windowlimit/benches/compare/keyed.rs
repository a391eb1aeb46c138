//! A window for each key.

#[path = "../keyed/case.rs"]
mod case;
#[expect(dead_code, reason = "its table is of another benchmark")]
#[path = "../keyed/decisions.rs"]
mod decisions;
#[path = "../keyed/subjects.rs"]
mod subjects;

use case::Case;
use decisions::{Record, Sequence, fill, measure};
use hdrhistogram::Histogram;
use subjects::{Key, NAMES};

use crate::{
    Extent,
    report::{Goal, Report, Row},
};

const SIZES: [usize; 2] = [1_000, 1_000_000];
const ROUNDS: usize = 21;

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let sizes = if extent == Extent::Full { &SIZES[..] } else { &SIZES[..1] };
    for case in [Case::Admit, Case::Refuse] {
        for &keys in sizes {
            of_kind::<u64>(case, keys, extent, report);
            of_kind::<String>(case, keys, extent, report);
        }
    }
    report.note(
        "Keys are called all alike. Ours and governor read `SystemClock`, the others `Instant`. More of it: `--bench keyed`, and \
         what a key takes in memory: `--bench keyed_memory`.",
    );
}

fn of_kind<K: Key>(case: Case, keys: usize, extent: Extent, report: &mut Report) {
    let subjects = case.subjects::<K>(keys);
    fill(&subjects, keys);
    let [uniform, _] = Sequence::both(keys);
    for threads in [1, 2] {
        let record = measure(&subjects, &uniform, threads, extent.rounds(ROUNDS));
        let are = if threads == 1 { "one thread" } else { "two threads" };
        let heading = format!("{case:?}, {keys} keys, {}, {are}, ns", K::NAME);
        report.group(&heading, rows::<K>(&record, keys, threads));
    }
}

fn rows<K: Key>(record: &Record, keys: usize, threads: usize) -> Vec<Row> {
    #[expect(clippy::cast_precision_loss, reason = "far from it")]
    let median = |all: &Histogram<u64>, unit: f64| all.value_at_quantile(0.5) as f64 / unit;
    // The goals are about one thread.
    let goal = |name: &str| match name {
        _ if threads > 1 => Goal::None,
        "governor" if keys > SIZES[0] || K::NAME == u64::NAME => Goal::AtMost(1.0),
        "governor" => Goal::AtMost(0.8),
        name if name.starts_with("`DashMap`") => Goal::AtMost(0.35),
        _ => Goal::Below(1.0),
    };
    let ours = median(&record.times[0], 100.0);
    let row = |place: usize| {
        let beside = (NAMES[place], median(&record.times[place], 100.0));
        Row::beside("by key", ours, beside, median(&record.ratios[place], 1_000.0), goal(NAMES[place]))
    };
    (1..NAMES.len()).map(row).collect()
}

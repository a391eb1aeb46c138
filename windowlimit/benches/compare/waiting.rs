//! Ten thousand calls in line.

#[expect(dead_code, reason = "what else is known of a line is in the table of another benchmark")]
#[path = "../waiting/line.rs"]
mod line;

use line::{MOST, NAMES, WINDOW, drain};
use tokio::runtime;

use crate::{
    Extent,
    report::{Goal, Report, Row},
    rounds::Rounds,
};

const ROUNDS: usize = 8;

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let calls = if extent == Extent::Full { 10_000 } else { 2_000 };
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("a runtime can be had");
    let found = Rounds::of(extent.rounds(ROUNDS), NAMES.len(), |place| {
        let drained = runtime.block_on(drain(NAMES[place], calls));
        drained.cpu.as_secs_f64() * 1e6 / f64::from(calls)
    });
    let rows = (1..NAMES.len()).map(|place| {
        let beside = (NAMES[place], found.median(place));
        Row::beside("`acquire`", found.median(0), beside, found.ratio(0, place), Goal::None)
    });
    report.group(&format!("{calls} calls in line, the processor's time to admit one, µs"), rows);
    report.note(format!(
        "In line: tasks of tokio on one thread, for a limit of {MOST} in {WINDOW:?}. leaky-bucket refills {MOST} each {WINDOW:?} \
         and governor one each {:?}; neither has a window, and both let up to twice the limit through one. More of it: `--bench \
         waiting`.",
        WINDOW / MOST
    ));
}

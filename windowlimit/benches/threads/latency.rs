//! How long single calls take, by one, two and four threads on the same limiter.
//!
//! A measured call includes two readings of the clock beside its own: the end of the one before it and the beginning of
//! the one after it, about one reading together. The row of the clock alone is a call that is nothing but a reading.
//! Between two calls a thread enters the time into its histogram, so that threads meet a little less often than without.

use std::{array, time::Duration};

use hdrhistogram::Histogram;
use windowlimit::{Clock as _, SystemClock};

use crate::{
    crew::{Bell, shift},
    subjects::{Case, Subject},
};

/// Some time slices of the operating system, where threads share a core.
const SHIFT: Duration = Duration::from_millis(20);

/// More than two cores have to share them.
const THREADS: [usize; 3] = [1, 2, 4];

const QUANTILES: [f64; 4] = [0.5, 0.99, 0.999, 0.9999];

/// Measures them in turn, round after round, and prints a table.
pub(crate) fn compare(subjects: &[Subject], case: Case, rounds: usize) {
    let mut records: Vec<[_; THREADS.len()]> = subjects.iter().map(|_| array::from_fn(|_| empty())).collect();
    for round in 0..rounds {
        // Nobody always comes after the same one.
        for place in (0..subjects.len()).map(|place| (place + round) % subjects.len()) {
            for (record, threads) in records[place].iter_mut().zip(THREADS) {
                *record += times_of_all(&subjects[place], case, threads);
            }
        }
    }
    println!("\n### {case:?}: nanoseconds of a call, with two readings of the clock\n");
    println!("The 50th, 99th, 99.9th and 99.99th percentile of all calls in {rounds} rounds.\n");
    print(subjects, &records);
}

/// The times of the calls of so many threads, for a short while.
pub(crate) fn times_of_all(subject: &Subject, case: Case, threads: usize) -> Histogram<u64> {
    let shift = shift(threads, SHIFT, |bell| times(subject, case, bell));
    let mut all = empty();
    for times in shift.done {
        all += times;
    }
    all
}

/// The times of the calls of one thread, in nanoseconds.
fn times(subject: &Subject, case: Case, bell: Bell<'_>) -> Histogram<u64> {
    let mut times = empty();
    while !bell.has_rung() {
        let before = SystemClock.now();
        let admitted = (subject.decide)();
        let after = SystemClock.now();
        if admitted == case.admits() {
            times += after - before;
        }
    }
    times
}

pub(crate) fn empty() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000_000, 3).expect("three digits up to a minute are possible")
}

fn print(subjects: &[Subject], records: &[[Histogram<u64>; THREADS.len()]]) {
    println!("| | {} |", THREADS.map(|threads| format!("threads: {threads}")).join(" | "));
    println!("|---|{}", "---|".repeat(THREADS.len()));
    for (subject, record) in subjects.iter().zip(records) {
        let cells =
            record.each_ref().map(|times| QUANTILES.map(|q| written(times.value_at_quantile(q))).join(" / "));
        println!("| {} | {} |", subject.name, cells.join(" | "));
    }
}

fn written(nanos: u64) -> String {
    match nanos {
        0..10_000 => nanos.to_string(),
        10_000..10_000_000 => format!("{} µs", nanos / 1_000),
        _ => format!("{} ms", nanos / 1_000_000),
    }
}

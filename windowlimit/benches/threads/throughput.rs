//! How many calls one thread makes, and two threads on the same limiter.

use std::time::Duration;

use hdrhistogram::Histogram;
use windowlimit::{Clock as _, SystemClock};

use crate::{
    crew::{Bell, shift},
    subjects::{Case, Subject},
};

/// Long beside the start of a thread, short beside what else a machine does.
const SHIFT: Duration = Duration::from_millis(8);

/// Calls between two looks at the bell.
const CALLS: u64 = 64;

/// What the rounds say of one subject. Throughputs are in calls per millisecond, ratios in thousandths.
struct Record {
    one: Histogram<u64>,
    two: Histogram<u64>,
    scaling: Histogram<u64>,
    to_governor: Histogram<u64>,
    to_std_mutex: Histogram<u64>,
    strange: u64,
}

/// What a shift of all threads came to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pace {
    /// In a millisecond.
    pub(crate) calls: u64,
    /// Calls with an answer that is not of the case.
    pub(crate) strange: u64,
}

impl Record {
    fn new() -> Self {
        let empty = || Histogram::new(3).expect("three digits are possible");
        Self {
            one: empty(),
            two: empty(),
            scaling: empty(),
            to_governor: empty(),
            to_std_mutex: empty(),
            strange: 0,
        }
    }
}

/// Measures them in turn, round after round, so that what else the machine does hits all alike, and prints a table.
pub(crate) fn compare(subjects: &[Subject], case: Case, rounds: usize) {
    let mut records: Vec<_> = subjects.iter().map(|_| Record::new()).collect();
    let place = |name| subjects.iter().position(|subject| subject.name == name).expect("it is among them");
    let (governor, std_mutex) = (place(Subject::GOVERNOR), place(Subject::STD_MUTEX));
    let mut disturbed = 0;
    for round in 0..rounds {
        let mut found = vec![(Pace::default(), Pace::default()); subjects.len()];
        // Nobody always comes after the same one.
        for place in (0..subjects.len()).map(|place| (place + round) % subjects.len()) {
            let one = pace(&subjects[place], case, 1, &mut disturbed);
            found[place] = (one, pace(&subjects[place], case, 2, &mut disturbed));
        }
        for (record, &(one, two)) in records.iter_mut().zip(&found) {
            record.one += one.calls;
            record.two += two.calls;
            record.scaling += ratio(two, one);
            record.to_governor += ratio(two, found[governor].1);
            record.to_std_mutex += ratio(two, found[std_mutex].1);
            record.strange += one.strange + two.strange;
        }
    }
    println!("\n### {case:?}: millions of calls in a second, of all threads together\n");
    println!(
        "Median (and best) of {rounds} rounds; ratios are medians of the ratios inside a round, with two threads. In \
         {disturbed} of {} shifts a thread had to wait for its core all the same.\n",
        2 * rounds * subjects.len()
    );
    print(subjects, &records);
}

pub(crate) fn pace(subject: &Subject, case: Case, threads: usize, disturbed: &mut usize) -> Pace {
    let shift = shift(threads, SHIFT, |bell| pace_of_one(subject, case, bell));
    *disturbed += usize::from(!shift.is_undisturbed);
    shift.done.into_iter().fold(Pace::default(), |all, one| Pace {
        calls: all.calls + one.calls,
        strange: all.strange + one.strange,
    })
}

fn pace_of_one(subject: &Subject, case: Case, bell: Bell<'_>) -> Pace {
    let (start, mut calls, mut admitted) = (SystemClock.now(), 0, 0);
    while !bell.has_rung() {
        admitted += (0..CALLS).map(|_| u64::from((subject.decide)())).sum::<u64>();
        calls += CALLS;
    }
    let took = SystemClock.now() - start;
    Pace { calls: calls * 1_000_000 / took, strange: if case.admits() { calls - admitted } else { admitted } }
}

fn ratio(a: Pace, b: Pace) -> u64 {
    a.calls * 1000 / b.calls.max(1)
}

fn print(subjects: &[Subject], records: &[Record]) {
    println!("| | 1 thread | 2 threads | 2 threads to 1 | to governor | to the `std` mutex |");
    println!("|---|---|---|---|---|---|");
    for (subject, record) in subjects.iter().zip(records) {
        let throughput = |all: &Histogram<u64>| format!("{} ({})", decimal(median(all)), decimal(all.max()));
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            subject.name,
            throughput(&record.one),
            throughput(&record.two),
            decimal(median(&record.scaling)),
            decimal(median(&record.to_governor)),
            decimal(median(&record.to_std_mutex)),
        );
    }
    for (subject, record) in subjects.iter().zip(records).filter(|(_, record)| record.strange > 0) {
        println!("\nNot of this case were {} answers of {}.", record.strange, subject.name);
    }
}

fn median(all: &Histogram<u64>) -> u64 {
    all.value_at_quantile(0.5)
}

/// Thousandths, rounded to hundredths.
fn decimal(thousandths: u64) -> String {
    let hundredths = (thousandths + 5) / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

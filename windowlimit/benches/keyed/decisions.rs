//! The time of a decision, by one thread and by two: all subjects in turn, in short rounds.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use hdrhistogram::Histogram;
use rand::{Rng as _, SeedableRng as _, rngs::SmallRng};
use rand_distr::{Distribution as _, Zipf};
use windowlimit::{Clock as _, SystemClock};

use super::{
    case::Case,
    subjects::{Decide, Key, NAMES},
};
use crate::crew::{Bell, shift};

/// Long beside the start of a thread, short beside what else a machine does.
const SHIFT: Duration = Duration::from_millis(6);

/// Calls between two readings of the clock. Their keys are made before, and stay in the nearest cache until then: as
/// those of a service, which has just read them from a request.
const CALLS: usize = 256;

const THREADS: [usize; 2] = [1, 2];

/// Which key comes next, for as many calls as it takes to lose sight of the beginning.
pub(crate) struct Sequence {
    name: &'static str,
    numbers: Vec<u32>,
    next: AtomicUsize,
}

impl Sequence {
    const LENGTH: usize = 1 << 22;

    pub(crate) fn both(keys: usize) -> [Self; 2] {
        let mut random = SmallRng::seed_from_u64(7);
        #[allow(clippy::cast_possible_truncation)] // five million at most
        let most = keys as u32;
        let uniform = (0..Self::LENGTH).map(|_| random.random_range(0..most)).collect();
        let ranks = Zipf::new(f64::from(most), 1.0).expect("both are above zero");
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number from 1 to `most`
        let zipf = (0..Self::LENGTH).map(|_| ranks.sample(&mut random) as u32 - 1).collect();
        [("uniform", uniform), ("Zipf", zipf)].map(|(name, numbers)| Self {
            name,
            numbers,
            next: AtomicUsize::new(0),
        })
    }

    /// The numbers of the next calls of anybody.
    fn next(&self) -> &[u32] {
        // Relaxed: the number is all there is.
        let next = self.next.fetch_add(CALLS, Ordering::Relaxed) % Self::LENGTH;
        &self.numbers[next..next + CALLS]
    }
}

/// What a thread did.
#[derive(Clone, Copy, Default)]
struct Done {
    calls: u64,
    admitted: u64,
    nanos: u64,
}

/// What the rounds say. Times are in hundredths of a nanosecond, ratios of the first to each in thousandths.
pub(crate) struct Record {
    pub(crate) times: [Histogram<u64>; NAMES.len()],
    pub(crate) ratios: [Histogram<u64>; NAMES.len()],
    all: Done,
}

/// Measures them with so many keys each, and prints the rows of a table.
pub(crate) fn compare<K: Key>(case: Case, sizes: &[usize], rounds: usize) {
    println!(
        "{case:?}, {} in a window: median (and best) of {rounds} rounds, in nanoseconds.\n",
        case.limit()
    );
    println!("| threads | keys | | {} | to governor | to the textbook | admitted |", NAMES.join(" | "));
    println!("|---|---|---|{}---|---|---|", "---|".repeat(NAMES.len()));
    for &keys in sizes {
        let subjects = case.subjects::<K>(keys);
        fill(&subjects, keys);
        for sequence in &Sequence::both(keys) {
            for threads in THREADS {
                let record = measure(&subjects, sequence, threads, rounds);
                print(&record, threads, keys, sequence.name);
            }
        }
    }
}

/// Lets each have a window for each key.
pub(crate) fn fill<K: Key>(subjects: &[Decide<K>], keys: usize) {
    let mut key = K::default();
    for number in 0..keys as u64 {
        key.set(number);
        for decide in subjects {
            decide(&key);
        }
    }
}

pub(crate) fn measure<K: Key>(
    subjects: &[Decide<K>],
    sequence: &Sequence,
    threads: usize,
    rounds: usize,
) -> Record {
    let empty = || Histogram::new(3).expect("three digits are possible");
    let mut record = Record {
        times: std::array::from_fn(|_| empty()),
        ratios: std::array::from_fn(|_| empty()),
        all: Done::default(),
    };
    // The first round is there to get used to it.
    for round in 0..=rounds {
        let mut found = [0; NAMES.len()];
        // Nobody always comes after the same one.
        for place in (0..NAMES.len()).map(|place| (place + round) % NAMES.len()) {
            let shift = shift(threads, SHIFT, |bell| work(&subjects[place], sequence, bell));
            let done = shift.done.into_iter().fold(Done::default(), Done::and);
            found[place] = done.nanos * 100 / done.calls;
            if place == 0 {
                record.all = record.all.and(done);
            }
        }
        if round > 0 {
            for (times, &time) in record.times.iter_mut().zip(&found) {
                *times += time;
            }
            for (ratios, &time) in record.ratios.iter_mut().zip(&found) {
                *ratios += found[0] * 1000 / time;
            }
        }
    }
    record
}

impl Done {
    fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            admitted: self.admitted + other.admitted,
            nanos: self.nanos + other.nanos,
        }
    }
}

fn work<K: Key>(decide: &Decide<K>, sequence: &Sequence, bell: Bell<'_>) -> Done {
    let (mut keys, mut done) = (vec![K::default(); CALLS], Done::default());
    // Each thread does something, however late it comes.
    while done.calls == 0 || !bell.has_rung() {
        for (key, &number) in keys.iter_mut().zip(sequence.next()) {
            key.set(u64::from(number));
        }
        let before = SystemClock.now();
        done.admitted += keys.iter().map(|key| u64::from(decide(key))).sum::<u64>();
        done.nanos += SystemClock.now() - before;
        done.calls += CALLS as u64;
    }
    done
}

fn print(record: &Record, threads: usize, keys: usize, sequence: &str) {
    let median = |all: &Histogram<u64>| all.value_at_quantile(0.5);
    let times = record.times.each_ref().map(|all| format!("{} ({})", median(all) / 100, all.min() / 100));
    let ratio = |all: &Histogram<u64>| format!("{}.{:02}", median(all) / 1000, median(all) % 1000 / 10);
    println!(
        "| {threads} | {keys} | {sequence} | {} | {} | {} | {}% |",
        times.join(" | "),
        ratio(&record.ratios[1]),
        ratio(&record.ratios[2]),
        record.all.admitted * 100 / record.all.calls,
    );
}

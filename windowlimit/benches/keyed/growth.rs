//! The slowest call while a table grows from nothing: a map that has to be copied into a larger one makes somebody wait.
//!
//! That the operating system takes the core away in one call of a million is seen here as well, so there are some runs,
//! of which the best says what the table does.

use hdrhistogram::Histogram;
use windowlimit::{Clock as _, SystemClock};

use crate::{
    case::Case,
    subjects::{Key, NAMES},
};

/// Lets each of them take in so many new keys, some times, and prints a table.
pub(crate) fn compare<K: Key>(keys: usize, runs: usize) {
    let mut slowest: [Vec<u64>; NAMES.len()] = std::array::from_fn(|_| Vec::new());
    let mut all: [_; NAMES.len()] =
        std::array::from_fn(|_| Histogram::<u64>::new(3).expect("three digits are possible"));
    for _ in 0..runs {
        for (place, decide) in Case::Refuse.subjects::<K>(keys).into_iter().enumerate() {
            let (mut key, mut longest) = (K::default(), 0);
            for number in 0..keys as u64 {
                key.set(number);
                let before = SystemClock.now();
                assert!(decide(&key), "{} has not seen it before", NAMES[place]);
                let took = SystemClock.now() - before;
                longest = longest.max(took);
                all[place] += took;
            }
            slowest[place].push(longest);
        }
    }
    println!("| from nothing to {keys} keys | slowest, best of {runs} | median | 99.99% | mean |");
    println!("|---|---|---|---|---|");
    for ((name, slowest), all) in NAMES.iter().zip(&mut slowest).zip(&all) {
        slowest.sort_unstable();
        let [best, median, late] =
            [slowest[0], slowest[runs / 2], all.value_at_quantile(0.9999)].map(|nanos| nanos / 1000);
        println!("| {name} | {best} µs | {median} µs | {late} µs | {:.0} ns |", all.mean());
    }
}

//! The slowest call while a table grows from nothing: a map that has to be copied into a larger one makes somebody wait.
//!
//! In a second, the operating system takes the core away some times. For how long is taken out of the calls that it hit.
//! What the host of a virtual machine and interrupts take is not known, so there are some runs.

use hdrhistogram::Histogram;
use windowlimit::{Clock as _, SystemClock};

use super::{
    case::Case,
    subjects::{Key, NAMES},
};
use crate::crew::waited;

/// Nanoseconds after which it is asked whether the thread had its core.
const SLOW: u64 = 20_000;

/// Lets each of them take in so many new keys, some times, and prints a table.
pub(crate) fn compare<K: Key>(keys: usize, runs: usize) {
    let mut slowest: [Vec<u64>; NAMES.len()] = std::array::from_fn(|_| Vec::new());
    let mut all: [_; NAMES.len()] =
        std::array::from_fn(|_| Histogram::<u64>::new(3).expect("three digits are possible"));
    for _ in 0..runs {
        for (place, decide) in Case::Refuse.subjects::<K>(keys).into_iter().enumerate() {
            let (mut key, mut longest, mut waited_before) = (K::default(), 0, waited());
            for number in 0..keys as u64 {
                key.set(number);
                let before = SystemClock.now();
                assert!(decide(&key), "{} has not seen it before", NAMES[place]);
                let mut took = SystemClock.now() - before;
                if took > SLOW {
                    let waited_until_now = waited();
                    took = took.saturating_sub(waited_until_now - waited_before);
                    waited_before = waited_until_now;
                }
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

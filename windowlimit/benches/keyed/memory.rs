//! What a key takes in memory, as it is asked of the allocator: at the worst fill of the table, right after most of it
//! has grown.
//!
//! `cargo bench -p windowlimit --bench keyed_memory`

mod subjects;

use std::{alloc::System, time::Duration};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use subjects::{Key, NAMES, subject};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const HOUR: Duration = Duration::from_secs(3600);

fn main() {
    // Without it, this is a test of whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let keys = if is_bench { 1_000_000 } else { 1_000 };
    println!("| bytes a key, worst (last) of {keys} keys | {} |", NAMES.join(" | "));
    println!("|---|{}", "---|".repeat(NAMES.len()));
    row::<u64>(keys, 1);
    row::<String>(keys, 1);
    row::<u64>(keys, 5);
    row::<String>(keys, 5);
}

fn row<K: Key>(keys: usize, live: u32) {
    let cells: Vec<_> = (0..NAMES.len()).map(|place| bytes_a_key::<K>(place, keys, live)).collect();
    println!("| {}, {live} live | {} |", K::NAME, cells.join(" | "));
}

fn bytes_a_key<K: Key>(place: usize, keys: usize, live: u32) -> String {
    let region = Region::new(ALLOCATOR);
    let held = || {
        let change = region.change();
        change.bytes_allocated.saturating_sub(change.bytes_deallocated)
    };
    let decide = subject::<K>(place, 10, HOUR, keys);
    let (mut key, mut worst) = (K::default(), 0);
    for number in 1..=keys {
        key.set(number as u64);
        for _ in 0..live {
            assert!(decide(&key));
        }
        // From a size at which the table itself does not count.
        if number > keys / 5 && number % 1_000 == 0 {
            worst = worst.max(held() / number);
        }
    }
    format!("{worst} ({})", held() / keys)
}

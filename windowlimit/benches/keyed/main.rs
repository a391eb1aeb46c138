//! What a decision costs where each key has a window of its own, beside others that limit a rate by key.
//!
//! `cargo bench -p windowlimit --bench keyed`
//!
//! It takes some minutes and some gigabytes, and prints Markdown. `-- small` leaves out the larger tables. What the keys take in memory is counted by `--bench keyed_memory`: an allocator that counts is slow.

#[path = "../threads/crew.rs"]
mod crew;

mod case;
mod decisions;
mod growth;
mod subjects;

use case::Case;
use subjects::Key;

const KEYS: [usize; 4] = [1_000, 100_000, 1_000_000, 5_000_000];

/// Rounds of each comparison.
const ROUNDS: usize = 21;

fn main() {
    let is = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    // Without it, this is a test of whether the benchmark runs.
    if !is("--bench") {
        decisions::compare::<u64>(Case::Admit, &KEYS[..1], 1);
        decisions::compare::<String>(Case::Refuse, &KEYS[..1], 1);
        return growth::compare::<u64>(KEYS[0], 1);
    }
    let sizes = if is("small") { &KEYS[..2] } else { &KEYS[..] };
    for case in [Case::Admit, Case::Refuse] {
        of_both_kinds(
            || decisions::compare::<u64>(case, sizes, ROUNDS),
            || {
                decisions::compare::<String>(case, sizes, ROUNDS);
            },
        );
    }
    of_both_kinds(|| growth::compare::<u64>(1_000_000, 7), || growth::compare::<String>(1_000_000, 7));
}

fn of_both_kinds(numbers: impl Fn(), texts: impl Fn()) {
    println!("\nKeys are {}:\n", u64::NAME);
    numbers();
    println!("\nKeys are {}:\n", String::NAME);
    texts();
}

//! What threads on one limiter cost each other, beside others that limit a rate.
//!
//! `cargo bench -p windowlimit --bench threads`
//!
//! It takes some minutes and prints Markdown. Subjects take turns of some milliseconds, so compare what is in one table.
//! Nothing is pinned to a core.

#[path = "../subjects/mod.rs"]
mod subjects;

mod crew;
mod latency;
mod throughput;

use subjects::{Case, Subject};

/// A window that has outgrown the limiter itself: some hundreds are live in it.
const LIMIT: u32 = 1_000;

/// A window that has its place inside the limiter, on one line with its cursor.
const SMALL: u32 = 5;

fn main() {
    // Without it, this is a test of whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let rounds = |rounds| if is_bench { rounds } else { 1 };
    for case in Case::BOTH {
        let mut subjects = subjects::all(LIMIT, case);
        let small = subjects::all(SMALL, case).into_iter().find(|subject| subject.name == Subject::RING);
        subjects.extend(small.map(|small| Subject { name: "windowlimit, ring in place (limit 5)", ..small }));
        throughput::compare(&subjects, case, rounds(100));
        latency::compare(&subjects, case, rounds(50));
    }
}

//! Of the counters of threads.

use super::{ASSERTION, Mutant};

mutants! {
    s1_a_number_is_had_by_two: "striped.rs",
        "*taken |= 1 << free;"
        => "let _ = &mut taken;",
        caught by "counted::two_threads_count";
    s3_those_who_share_add_as_if_alone: "striped.rs",
        "counter.fetch_add(1, Ordering::Relaxed);"
        => "counter.store(counter.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);",
        caught by "counted::three_threads_count";
}

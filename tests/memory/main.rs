//! Memory follows the calls that count, never the limit. In a program of its own without the test harness, since it
//! counts what the allocator of the whole process gives out.
#![forbid(unsafe_code)]

mod keys;

use std::{alloc::System, time::Duration};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use windowlimit::{Limit, Limiter, ManualClock};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn limiter(max: u32) -> Limiter<ManualClock> {
    let builder = Limiter::builder().limit(Limit::per_hour(max)).clock(ManualClock::new());
    builder.build().expect("it has a limit")
}

fn main() {
    let tests: [(&str, fn()); 10] = [
        ("f37_the_first_calls_of_the_largest_limit_allocate_nothing", f37_first_calls_allocate_nothing),
        ("a_million_a_window_with_ten_live_hold_less_than_a_kibibyte", ten_live_hold_less_than_a_kibibyte),
        ("memory_follows_the_calls_that_are_live", memory_follows_the_calls_that_are_live),
        ("traffic_that_goes_on_allocates_nothing_more", traffic_that_goes_on_allocates_nothing_more),
        ("f53_f56_two_million_keys_stay_within_the_bound_and_leave", keys::soak),
        (
            "f54_nothing_is_kept_for_a_call_but_its_record",
            keys::f54_nothing_is_kept_for_a_call_but_its_record,
        ),
        ("a_key_with_one_live_admission_takes_eighty_bytes", keys::one_live_admission),
        ("a_key_with_five_live_admissions_is_small", keys::five_live_admissions),
        ("keys_that_are_forgotten_leave_nothing", keys::forgotten_keys_leave_nothing),
        ("a_key_of_any_length_takes_no_more", keys::f58_a_key_of_any_length),
    ];
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
    }
    println!("{} passed, 0 failed", tests.len());
}

/// The bytes that some calls leave allocated.
fn grows_by(limiter: &Limiter<ManualClock>, calls: usize) -> isize {
    let region = Region::new(ALLOCATOR);
    for _ in 0..calls {
        assert!(limiter.check().is_ok());
    }
    let change = region.change();
    change.bytes_allocated.cast_signed() - change.bytes_deallocated.cast_signed()
}

fn f37_first_calls_allocate_nothing() {
    let limiter = limiter(u32::MAX);
    assert_eq!(grows_by(&limiter, 7), 0);
}

fn ten_live_hold_less_than_a_kibibyte() {
    let limiter = limiter(1_000_000);
    let heap = grows_by(&limiter, 10);
    let all = size_of_val(&limiter) + usize::try_from(heap).expect("it grew");
    assert!(all < 1_024, "{all} bytes, {heap} of them on the heap");
}

fn memory_follows_the_calls_that_are_live() {
    let limiter = limiter(u32::MAX);
    let live = 100_000;
    let heap = grows_by(&limiter, live).cast_unsigned();
    // A word each, in a circle at most four times as large as needed, beside a third as much that it grew from.
    assert!(heap < live * 8 * 4 * 4 / 3, "{heap} bytes");
}

fn traffic_that_goes_on_allocates_nothing_more() {
    let limiter = limiter(1_000);
    grows_by(&limiter, 1_000);
    let region = Region::new(ALLOCATOR);
    for _ in 0..50 {
        limiter.clock().advance(Duration::from_secs(3_600));
        for _ in 0..1_000 {
            assert!(limiter.check().is_ok());
        }
        assert!(limiter.check().is_err());
    }
    assert_eq!(region.change().bytes_allocated, 0, "neither admissions nor refusals allocate");
}

//! Memory follows the calls that count, never the limit. In a program of its own without the test harness, since it
//! counts what the allocator of the whole process gives out.
#![forbid(unsafe_code)]

mod keys;

use std::{alloc::System, time::Duration};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use windowlimit::{KeyedLimiter, Limit, Limiter, ManualClock};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn limiter(max: u32) -> Limiter<ManualClock> {
    let builder = Limiter::builder().limit(Limit::per_hour(max)).clock(ManualClock::new());
    builder.build().expect("it has a limit")
}

fn main() {
    let tests: [(&str, fn()); 13] = [
        ("f37_the_first_calls_of_the_largest_limit_allocate_nothing", f37_first_calls_allocate_nothing),
        ("a_million_a_window_with_ten_live_hold_less_than_a_kibibyte", ten_live_hold_less_than_a_kibibyte),
        ("memory_follows_the_calls_that_are_live", memory_follows_the_calls_that_are_live),
        ("traffic_that_goes_on_allocates_nothing_more", traffic_that_goes_on_allocates_nothing_more),
        ("a_refusal_that_names_several_limits_allocates_nothing", refusals_allocate_nothing),
        ("ever_new_lists_of_limits_are_not_kept_for_ever", new_lists_are_not_kept_for_ever),
        ("f53_f56_two_million_keys_stay_within_the_bound_and_leave", keys::soak),
        (
            "f54_nothing_is_kept_for_a_call_but_its_record",
            keys::f54_nothing_is_kept_for_a_call_but_its_record,
        ),
        ("a_key_with_one_live_admission_takes_eighty_bytes", keys::one_live_admission),
        ("a_key_with_five_live_admissions_is_small", keys::five_live_admissions),
        ("keys_that_are_forgotten_leave_nothing", keys::forgotten_keys_leave_nothing),
        ("new_keys_that_are_forgotten_leave_nothing", keys::new_keys_that_are_forgotten_leave_nothing),
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

/// Lists that were made at run time: of the limiter, and of each call.
fn refusals_allocate_nothing() {
    let limits = [Limit::per_second(5), Limit::per_hour(1)];
    let whole = Limiter::builder().limits(limits).build().expect("it has limits");
    let keyed =
        KeyedLimiter::builder().longest(Duration::from_secs(3_600)).build().expect("it has a longest");
    let refuse = || [whole.check(), keyed.check_for("me", &limits, 1)].map(|result| result.is_err());
    assert_eq!(refuse(), [false; 2]);
    assert_eq!(refuse(), [true; 2]);
    let region = Region::new(ALLOCATOR);
    for _ in 0..1_000 {
        for refused in [whole.check(), keyed.check_for("me", &limits, 1)] {
            assert_eq!(refused.expect_err("it is full").limits(), limits);
        }
    }
    assert_eq!(region.change().allocations, 0);
}

/// A limiter that is changed ever again, by somebody who adapts it to the load. (Last but for what needs no lists: after
/// this, no other is kept.)
fn new_lists_are_not_kept_for_ever() {
    let limiter = Limiter::builder().limit(Limit::per_hour(1)).build().expect("it has a limit");
    let change = |max: u32| {
        limiter.set_limits([Limit::per_second(max), Limit::per_hour(max)]).expect("they can be kept");
        limiter.check_n(max).map_or_else(|refusal| refusal.limits().len(), |()| 0)
    };
    change(1);
    let region = Region::new(ALLOCATOR);
    let named: Vec<usize> = (1..=20_000).map(change).collect();
    let held = region.change();
    assert_eq!(named.first(), Some(&2));
    assert_eq!(named.last(), Some(&1), "beyond those that are kept, the one that refused");
    let held = held.bytes_allocated - held.bytes_deallocated;
    assert!(held < 1_000_000, "{held} bytes");
}

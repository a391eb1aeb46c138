//! What keys take, and that they give it back.

use std::time::Duration;

use stats_alloc::Region;
use windowlimit::{KeyedLimiter, Limit, ManualClock, Reason};

use crate::ALLOCATOR;

fn limiter(limit: Limit, max_keys: usize) -> KeyedLimiter<ManualClock> {
    let builder = KeyedLimiter::builder().limit(limit).max_keys(max_keys).clock(ManualClock::new());
    builder.build().expect("it has a limit")
}

/// The bytes that are allocated since then, and not given back.
fn held(region: &Region<'_, std::alloc::System>) -> usize {
    let change = region.change();
    change.bytes_allocated.saturating_sub(change.bytes_deallocated)
}

/// Two million keys, once each, through a limiter that holds a hundred thousand, in ever new windows; then silence, and a
/// trickle of calls.
pub(crate) fn soak() {
    const MOST: usize = 100_000;
    let limiter = limiter(Limit::per_minute(10), MOST);
    let region = Region::new(ALLOCATOR);
    let (mut admitted, mut refused, mut largest) = (0_usize, 0_usize, 0);
    for key in 0..2_000_000_u64 {
        let before = limiter.len();
        match limiter.check(&key) {
            Ok(()) => admitted += 1,
            Err(refusal) => {
                assert_eq!(refusal.reason(), Reason::TooManyKeys);
                refused += 1;
            }
        }
        // The work of a call: it gives back a few dozen keys at most.
        assert!(before.saturating_sub(limiter.len()) <= 32, "from {before} to {}", limiter.len());
        assert!(limiter.len() <= MOST);
        largest = largest.max(held(&region));
        // A window in 80 000 calls: so many are live, and the rest of what is held is idle.
        if key % 8 == 0 {
            limiter.clock().advance(Duration::from_micros(6_000));
        }
    }
    assert!(
        refused == 0 && admitted == 2_000_000,
        "80 000 live keys are fewer than {MOST}: {refused} were refused"
    );
    // A table of 100 000 keys in shards that double, twice over while one of them grows.
    assert!(largest < MOST * 96, "{largest} bytes");

    limiter.clock().advance(Duration::from_secs(120));
    for key in 0..5_000_u64 {
        let before = limiter.len();
        assert!(limiter.check(&(key % 100, "after")).is_ok() || key >= 1_000);
        if key % 100 == 0 {
            limiter.clock().advance(Duration::from_secs(61));
        }
        assert!(before.saturating_sub(limiter.len()) <= 32);
    }
    assert!(limiter.len() < 1_000, "{} keys are left", limiter.len());
    assert!(held(&region) < 200_000, "{} bytes are left", held(&region));

    // More live keys than fit: each is told so, at no cost.
    for key in 0..MOST as u64 * 2 {
        let result = limiter.check(&(key, "crowd"));
        assert!(result.is_ok() || limiter.len() == MOST);
    }
    let before = held(&region);
    for key in 0..50_000_u64 {
        let refusal = limiter.check(&(key, "too many")).expect_err("there is no room");
        assert_eq!(refusal.reason(), Reason::TooManyKeys);
    }
    let grown = held(&region).saturating_sub(before);
    assert!(grown < 4_096, "{grown} bytes for calls that were refused");
}

pub(crate) fn f54_nothing_is_kept_for_a_call_but_its_record() {
    let limiter = limiter(Limit::per_minute(3), 100);
    for _ in 0..3 {
        assert!(limiter.check("a").is_ok());
    }
    let region = Region::new(ALLOCATOR);
    for _ in 0..1_000_000 {
        assert!(limiter.check("a").is_err());
    }
    assert_eq!(region.change().allocations, 0);
}

/// Bytes a key, with so many admissions of each, at the worst fill of the table: right after most of it has grown.
fn bytes_a_key(calls: usize) -> usize {
    let limiter = limiter(Limit::per_hour(10), 1_000_000);
    let region = Region::new(ALLOCATOR);
    let mut worst = 0;
    for key in 0..600_000_usize {
        for _ in 0..calls {
            assert!(limiter.check(&key).is_ok());
        }
        // From a size at which the shards themselves do not count.
        if key >= 200_000 && key % 1_000 == 0 {
            worst = worst.max(held(&region).div_ceil(key + 1));
        }
    }
    worst
}

pub(crate) fn one_live_admission() {
    let bytes = bytes_a_key(1);
    println!("    {bytes} bytes");
    assert!(bytes <= 80, "{bytes} bytes a key");
}

pub(crate) fn five_live_admissions() {
    let bytes = bytes_a_key(5);
    println!("    {bytes} bytes");
    assert!(bytes <= 120, "{bytes} bytes a key");
}

/// The same keys again and again, and each time they are forgotten.
pub(crate) fn forgotten_keys_leave_nothing() {
    let limiter = limiter(Limit::per_minute(3), 100);
    let round = |limiter: &KeyedLimiter<ManualClock>| {
        for key in 0..50 {
            assert!(limiter.check(&key).is_ok());
        }
        for key in 0..50 {
            assert!(limiter.remove(&key));
        }
        assert!(limiter.is_empty());
        assert!(limiter.check("one").is_ok());
        limiter.reset();
        assert!(limiter.is_empty());
    };
    round(&limiter);
    let region = Region::new(ALLOCATOR);
    for _ in 0..2_000 {
        round(&limiter);
    }
    assert!(held(&region) < 8_192, "{} bytes", held(&region));
}

pub(crate) fn f58_a_key_of_any_length() {
    let limiter = limiter(Limit::per_minute(3), 100);
    let long = "a".repeat(1 << 20);
    // The shards, the first time.
    assert!(limiter.check("a").is_ok());
    let region = Region::new(ALLOCATOR);
    assert!(limiter.check(&long).is_ok());
    assert!(held(&region) < 500, "{} bytes", held(&region));
}

/// Ever new keys, each of which is forgotten as soon as it was called: as sessions that end.
pub(crate) fn new_keys_that_are_forgotten_leave_nothing() {
    let limiter = limiter(Limit::per_hour(3), 1_000);
    let region = Region::new(ALLOCATOR);
    let mut largest = 0;
    for key in 0..200_000_u64 {
        assert!(limiter.check(&key).is_ok() && limiter.remove(&key));
        largest = largest.max(held(&region));
    }
    assert!(limiter.is_empty());
    assert!(largest < 64 << 10, "{largest} bytes");
}

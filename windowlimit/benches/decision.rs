//! What one decision costs when nobody else is about: beside the bare reading of the clock, which is the floor,
//! and beside `governor`, which reads the same clock.
//!
//! `cargo bench -p windowlimit --bench decision`

use std::{
    hint::black_box,
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use criterion::{Criterion, criterion_group, criterion_main};
use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    middleware::NoOpMiddleware,
    nanos::Nanos,
    state::{InMemoryState, NotKeyed},
};
use windowlimit::{Clock, Limit, Limiter, SystemClock};

/// Our clock in governor's words, so that both sides pay for the same reading.
#[derive(Clone)]
struct SameClock;

impl governor::clock::Clock for SameClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::new(SystemClock.now())
    }
}

type Governor<C, I> = RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<I>>;

fn governor(quota: Quota) -> Governor<SameClock, Nanos> {
    RateLimiter::direct_with_clock(quota, SameClock)
}

/// Both sides are called as functions: inlined into the loop of the harness, what is measured is how the harness
/// and the code under it share their registers.
#[inline(never)]
fn ours<C: Clock>(limiter: &Limiter<C>) -> bool {
    limiter.check().is_ok()
}

#[inline(never)]
fn ours_with_permit(limiter: &Limiter) -> u32 {
    limiter.try_acquire().map_or(0, |permit| permit.remaining())
}

#[inline(never)]
fn theirs(limiter: &Governor<SameClock, Nanos>) -> bool {
    limiter.check().is_ok()
}

/// A clock that can be held: the real one, and one more load.
#[derive(Default)]
struct Held(AtomicU64);

impl Clock for Held {
    fn now(&self) -> u64 {
        match self.0.load(Ordering::Relaxed) {
            0 => SystemClock.now(),
            held => held,
        }
    }
}

/// A limit that never refuses on this clock, since no two readings are so close.
fn open(max: u32) -> Limiter {
    Limiter::new("open", within_a_nanosecond(max))
}

/// The same, in a window that has grown to hold `max`: while the clock stood still, they were all live.
fn open_and_grown(max: u32) -> Limiter<Held> {
    let clock = Held(AtomicU64::new(SystemClock.now()));
    let limiter = Limiter::builder().limit(within_a_nanosecond(max)).clock(clock).build();
    let limiter = limiter.expect("it has a limit");
    while limiter.check().is_ok() {}
    limiter.clock().0.store(0, Ordering::Relaxed);
    limiter
}

fn within_a_nanosecond(max: u32) -> Limit {
    Limit::new(max, Duration::from_nanos(1)).expect("the window is above zero")
}

/// A limit that refuses for the next hour.
fn used_up(max: u32) -> Limiter {
    let limiter = Limiter::new("used up", Limit::per_hour(max));
    while limiter.check().is_ok() {}
    limiter
}

fn clocks(c: &mut Criterion) {
    let mut group = c.benchmark_group("clock");
    group.bench_function("SystemClock, bare", |b| b.iter(|| SystemClock.now()));
    let quanta = DefaultClock::default();
    group.bench_function("governor's default, bare", |b| b.iter(|| quanta.now()));
    group.finish();
}

fn admit(c: &mut Criterion) {
    let mut group = c.benchmark_group("admit");
    let limiter = open(5);
    group.bench_function("windowlimit, 5", |b| b.iter(|| ours(black_box(&limiter))));
    for max in [5, 100, 10_000, 1_000_000] {
        let limiter = open_and_grown(max);
        let name = format!("windowlimit, {max} on a clock that can be held");
        group.bench_function(name, |b| b.iter(|| ours(black_box(&limiter))));
    }
    group.bench_function("windowlimit, 5, with a permit", |b| {
        b.iter(|| ours_with_permit(black_box(&limiter)));
    });
    // A cell each nanosecond, and as many at once as it can hold: it never refuses either.
    let quota = Quota::with_period(Duration::from_nanos(1)).expect("not zero").allow_burst(NonZeroU32::MAX);
    let limiter = governor(quota);
    group.bench_function("governor, same clock", |b| b.iter(|| theirs(black_box(&limiter))));
    group.finish();
}

fn refuse(c: &mut Criterion) {
    let mut group = c.benchmark_group("refuse");
    for max in [5, 100, 10_000, 1_000_000] {
        let limiter = used_up(max);
        group.bench_function(format!("windowlimit, {max}"), |b| b.iter(|| ours(black_box(&limiter))));
    }
    let limiter = governor(Quota::per_hour(NonZeroU32::MIN));
    while limiter.check().is_ok() {}
    group.bench_function("governor, same clock", |b| b.iter(|| theirs(black_box(&limiter))));
    group.finish();
}

criterion_group!(benches, clocks, admit, refuse);
criterion_main!(benches);

//! What one decision costs when nobody else is about: beside the bare reading of the clock, which is the floor,
//! and beside `governor`, which reads the same clock.
//!
//! `cargo bench -p windowlimit --bench decision`

use std::{hint::black_box, num::NonZeroU32, time::Duration};

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
fn ours(limiter: &Limiter) -> bool {
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

/// A limit that never refuses on this clock, since no two readings are so close, and one that is used up.
fn open(max: u32) -> Limiter {
    let limit = Limit::new(max, Duration::from_nanos(1)).expect("the window is above zero");
    Limiter::new("open", limit)
}

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
    for max in [5, 1_000_000] {
        let limiter = open(max);
        group.bench_function(format!("windowlimit, {max}"), |b| b.iter(|| ours(black_box(&limiter))));
    }
    let limiter = open(5);
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
    for max in [5, 100_000] {
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

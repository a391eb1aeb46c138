//! What one decision costs when nobody else is about, by every engine and by others that limit a rate, whatever the
//! limit is: beside the bare reading of the clock, which is the floor.
//!
//! `cargo bench -p windowlimit --bench decision`

mod subjects;

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use governor::clock::{Clock as _, DefaultClock};
use windowlimit::{Limit, Limiter};

use subjects::Case;

const LIMITS: [u32; 4] = [5, 100, 10_000, 1_000_000];

fn decisions(c: &mut Criterion) {
    for case in Case::BOTH {
        let mut group = c.benchmark_group(format!("{case:?}"));
        let by_limit = LIMITS.map(|max| subjects::all(max, case));
        // The limits of one subject one after another: these are to be compared first.
        for place in 0..by_limit[0].len() {
            for (subjects, max) in by_limit.iter().zip(LIMITS) {
                let subject = &subjects[place];
                group.bench_function(format!("{}, limit {max}", subject.name), |b| {
                    // With the other answer, what was measured would not be what it is called.
                    b.iter(|| assert_eq!((subject.decide)(), case.admits()));
                });
            }
        }
        group.finish();
    }
}

#[inline(never)]
fn with_permit(limiter: &Limiter) -> u32 {
    limiter.try_acquire().map_or(0, |permit| permit.remaining())
}

/// What is not in every limiter: a permit, and the clock that governor has of its own.
fn others(c: &mut Criterion) {
    let mut group = c.benchmark_group("Others");
    for max in LIMITS {
        let limit = Limit::new(max, Duration::from_nanos(10) * max).expect("the window is above zero");
        let limiter = Limiter::new("open", limit);
        group.bench_function(format!("windowlimit, ring with a permit, limit {max}"), |b| {
            b.iter(|| with_permit(black_box(&limiter)));
        });
    }
    let quanta = DefaultClock::default();
    group.bench_function("governor's default clock", |b| b.iter(|| quanta.now()));
    group.finish();
}

/// Many subjects: a short time for each, and the same for all.
fn briefly() -> Criterion {
    Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1))
}

criterion_group!(name = benches; config = briefly(); targets = decisions, others);
criterion_main!(benches);

//! Whether a decision takes longer where the limit is larger.
//!
//! On a clock that takes as long to read as `SystemClock` and moves on by the same step at each reading: as many admissions
//! leave as come, and as many as the limit says are live all the time, whatever the limit is.

use std::{
    hint::black_box,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use windowlimit::{Clock, Limit, Limiter, SystemClock};

use crate::{
    Extent,
    report::{Goal, Report, Row},
    rounds::{Rounds, median},
};

const LIMITS: [u32; 3] = [1, 1_000, 1_000_000];
const STEP: u64 = 10;
const CALLS: u32 = 256;
const BATCHES: usize = 61;
const ROUNDS: usize = 100;

/// By one thread only, so that reading and writing it may be two steps.
struct Steps(AtomicU64);

impl Clock for Steps {
    fn now(&self) -> u64 {
        black_box(SystemClock.now());
        // Relaxed, both: the number is all there is.
        let now = self.0.load(Ordering::Relaxed) + STEP;
        self.0.store(now, Ordering::Relaxed);
        now
    }
}

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let limiters = LIMITS.map(|max| {
        let limit = Limit::new(max, Duration::from_nanos(STEP) * max).expect("a window above zero");
        let clock = Steps(AtomicU64::new(1_000_000_000));
        let limiter = Limiter::builder().limit(limit).clock(clock).build().expect("it has a limit");
        // Two laps.
        for _ in 0..2 * max {
            assert!(limiter.check().is_ok(), "one leaves where one comes");
        }
        limiter
    });
    let found = Rounds::of(extent.rounds(ROUNDS), LIMITS.len(), |place| nanos(black_box(&limiters[place])));
    let rows = (1..LIMITS.len()).map(|place| {
        let beside = ("a limit of 1", found.median(0));
        let what = format!("a limit of {}, all live", LIMITS[place]);
        Row::beside(what, found.median(place), beside, found.ratio(place, 0), Goal::AtMost(1.05))
    });
    report.group("Admit, one thread, by the limit, after the first lap, ns", rows);
}

fn nanos(limiter: &Limiter<Steps>) -> f64 {
    median((0..BATCHES).map(|_| {
        let before = Instant::now();
        for _ in 0..CALLS {
            assert!(limiter.check().is_ok(), "one leaves where one comes");
        }
        #[expect(clippy::cast_precision_loss, reason = "far from it")]
        let nanos = before.elapsed().as_nanos() as f64;
        nanos / f64::from(CALLS)
    }))
}

//! Waiting for a turn: on a manual clock or on paused time, so that nothing here takes time.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod attribute;
mod dropping;
mod edges;
mod faults;
mod keyed;
mod line;
mod random;
mod threads;
mod time;

use std::{sync::Arc, time::Duration};

use windowlimit::{Limit, Limiter, ManualClock};

type Manual = Arc<ManualClock>;

fn per(max: u32, nanos: u64) -> Limit {
    Limit::new(max, Duration::from_nanos(nanos)).expect("the window is above zero")
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A limiter on a clock of its own.
fn limiter(limits: &[Limit]) -> (Limiter<Manual>, Manual) {
    let clock = Manual::default();
    let limiter = Limiter::builder().name("api").limits(limits.iter().copied()).clock(clock.clone());
    (limiter.build().expect("it has limits"), clock)
}

/// The same, and nothing is left of it.
fn full(max: u32, window: Duration) -> (Limiter<Manual>, Manual) {
    let (limiter, clock) = limiter(&[Limit::new(max, window).expect("the window is above zero")]);
    for _ in 0..max {
        limiter.check().expect("it was empty");
    }
    (limiter, clock)
}

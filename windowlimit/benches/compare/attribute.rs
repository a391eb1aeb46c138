//! The attribute on a function that does nothing: beside the same decision by hand, another attribute, and a plain call.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use throttle_my_fn::throttle;
use windowlimit::{Limit, Limiter, RateLimitExceeded, window_rate_limit};

use crate::{
    Extent,
    report::{Goal, Report, Row},
    rounds::{Rounds, median},
};

const CALLS: u32 = 256;
const BATCHES: usize = 61;
const ROUNDS: usize = 100;

#[inline(never)]
#[window_rate_limit(limit = 1_000, window = Duration::from_micros(5))]
fn limited() -> Result<(), RateLimitExceeded> {
    Ok(())
}

static LIMITER: Limiter = Limiter::new(
    "by hand",
    match Limit::new(1_000, Duration::from_micros(5)) {
        Ok(limit) => limit,
        Err(_) => panic!("the window is above zero"),
    },
);

#[inline(never)]
fn by_hand() -> Result<(), RateLimitExceeded> {
    LIMITER.check()?;
    Ok(())
}

#[inline(never)]
#[throttle(1_000, Duration::from_micros(5))]
fn throttled() {}

#[inline(never)]
#[expect(clippy::unnecessary_wraps, reason = "as the others")]
fn plain() -> Result<(), RateLimitExceeded> {
    Ok(())
}

/// Each with a loop of its own: a call through a pointer is more than a plain call.
pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let found = Rounds::of(extent.rounds(ROUNDS), 4, |place| match place {
        0 => nanos(|| limited().is_ok()),
        1 => nanos(|| by_hand().is_ok()),
        2 => nanos(|| throttled().is_some()),
        _ => nanos(|| plain().is_ok()),
    });
    let row = |peer, place, goal| {
        Row::beside(
            "`limit`, `window`",
            found.median(0),
            (peer, found.median(place)),
            found.ratio(0, place),
            goal,
        )
    };
    report.group(
        "The attribute on an empty function, admitted, ns",
        [
            row("`LIMITER.check()?` by hand", 1, Goal::AtMost(1.05)),
            row("throttle_my_fn, `#[throttle]`", 2, Goal::Below(1.0)),
            row("the function without it", 3, Goal::None),
        ],
    );
}

fn nanos(call: impl Fn() -> bool) -> f64 {
    median((0..BATCHES).map(|_| {
        let before = Instant::now();
        for _ in 0..CALLS {
            black_box(call());
        }
        #[expect(clippy::cast_precision_loss, reason = "far from it")]
        let nanos = before.elapsed().as_nanos() as f64;
        nanos / f64::from(CALLS)
    }))
}

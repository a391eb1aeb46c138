//! A test case that is read from bytes, for the fuzzer and for what it has found.

use std::time::Duration;

use arbitrary::{Arbitrary, Unstructured};
use windowlimit::{Algorithm, Limit};

use crate::{
    oracle::{Fixed, Oracle, Segmented},
    subject::{on_manual_clock, on_one_key},
    trace::{Move, Op, compare},
};

/// Limits, and what happens to a limiter that keeps them.
#[derive(Debug, Arbitrary)]
struct Script {
    /// As many as one likes; the first four count.
    limits: Vec<(u8, Window)>,
    segments: u8,
    steps: Vec<(Move, Op)>,
}

/// Lengths of windows at which something may happen.
#[derive(Clone, Copy, Debug, Arbitrary)]
enum Window {
    Nanos(u16),
    Millis(u16),
    Centuries(u8),
    Longest,
}

impl Window {
    fn length(self) -> Duration {
        match self {
            Self::Nanos(nanos) => Duration::from_nanos(u64::from(nanos) + 1),
            Self::Millis(millis) => Duration::from_millis(u64::from(millis) + 1),
            Self::Centuries(centuries) => {
                Duration::from_secs(86_400 * 36_525 * (u64::from(centuries) % 4 + 1))
            }
            Self::Longest => Duration::MAX,
        }
    }
}

/// Runs what these bytes say on every window, and compares each with its oracle.
pub fn run(data: &[u8]) {
    let Ok(script) = Script::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let limits = script.limits.iter().take(4).map(|&(max, window)| Limit::new(max.into(), window.length()));
    let limits: Vec<Limit> = limits.map(|limit| limit.expect("the window is above zero")).collect();
    if limits.is_empty() {
        return;
    }
    // Beyond that a step finds nothing new, and the oracles are slow.
    let steps = &script.steps[..script.steps.len().min(200)];
    // Calls of one unit, without a permit: what a ring can do.
    let plain = steps.iter().map(|&(movement, op)| match op {
        Op::Claim(_) | Op::Refund(_) => (movement, Op::CALL),
        other => (movement, other),
    });
    let plain: Vec<_> = plain.collect();
    on_manual_clock(&limits, Algorithm::Exact, false, |subject| {
        compare(subject, &mut Oracle::new(&limits), &limits, &plain)
    });
    on_manual_clock(&limits, Algorithm::Exact, true, |subject| {
        compare(subject, &mut Oracle::new(&limits), &limits, steps)
    });
    let segments = u32::from(script.segments) + 1;
    on_manual_clock(&limits, Algorithm::Segmented(segments), true, |subject| {
        compare(subject, &mut Segmented::new(&limits, segments), &limits, steps)
    });
    on_manual_clock(&limits, Algorithm::Fixed, true, |subject| {
        compare(subject, &mut Fixed::new(&limits), &limits, steps)
    });
    run_as_key(&limits, segments, steps);
}

/// The same as one key, of limits that stay.
fn run_as_key(limits: &[Limit], segments: u32, steps: &[(Move, Op)]) {
    let steps = steps.iter().map(|&(movement, op)| match op {
        Op::SetLimits(_) | Op::Reset => (movement, Op::CALL),
        other => (movement, other),
    });
    let steps: Vec<_> = steps.collect();
    on_one_key(limits, Algorithm::Exact, false, |subject| {
        compare(subject.alone(), &mut Oracle::new(limits), limits, &steps)
    });
    on_one_key(limits, Algorithm::Segmented(segments), false, |subject| {
        compare(subject.alone(), &mut Segmented::of_a_key(limits, segments), limits, &steps)
    });
    on_one_key(limits, Algorithm::Fixed, false, |subject| {
        compare(subject.alone(), &mut Fixed::new(limits), limits, &steps)
    });
}

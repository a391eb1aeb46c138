//! The first call in a process that is new.
//!
//! Each process times one call, by two readings of the operating system's clock, and ends. In half of them that clock has been
//! read before, so that its pages are there; in the other half the reading before the call is the first.

use std::{env, hint::black_box, num::NonZeroU32, process::Command, sync::Mutex, time::Instant};

use governor::{Quota, RateLimiter, clock::MonotonicClock};
#[cfg(feature = "quanta")]
use windowlimit::QuantaClock;
use windowlimit::{Limit, Limiter, RateLimitExceeded, window_rate_limit};

use crate::{
    Extent,
    report::{Goal, Report, Row},
    rounds::Rounds,
};

/// In the environment of a process that is new: which call, and whether the clock has been read.
const CALL: &str = "WINDOWLIMIT_FIRST_CALL";

const ROUNDS: usize = 101;

#[inline(never)]
#[window_rate_limit(limit = 5, window = "1m")]
fn limited() -> Result<(), RateLimitExceeded> {
    Ok(())
}

#[inline(never)]
#[window_rate_limit(limit = 5, window = "1m")]
fn limited_too() -> Result<(), RateLimitExceeded> {
    Ok(())
}

#[inline(never)]
#[window_rate_limit(limit = 5, window = "1m", key = key)]
fn limited_by_key(key: u64) -> Result<(), RateLimitExceeded> {
    let _ = black_box(key);
    Ok(())
}

static LIMITER: Limiter = Limiter::new("by hand", Limit::per_minute(5));

#[cfg(feature = "quanta")]
static COUNTER: Limiter<QuantaClock> =
    Limiter::with_clock("counter", &[const { Limit::per_minute(5) }], QuantaClock);

static TEXTBOOK: Mutex<Vec<Instant>> = Mutex::new(Vec::new());

fn quota() -> Quota {
    Quota::per_minute(NonZeroU32::MIN.saturating_add(4))
}

/// A call by its name, and whether it was admitted.
type Call = (&'static str, fn() -> bool);

/// Where the pages of the program are there that a first call needs, since another function had its own.
const AFTER_ANOTHER: &str = "the attribute, after the first call of another function";

/// What is called, the first of them nothing, the second ours.
const CALLS: &[Call] = &[
    ("nothing: two readings of the clock", || true),
    ("the attribute", || limited().is_ok()),
    (AFTER_ANOTHER, || limited_too().is_ok()),
    ("the attribute with a key", || limited_by_key(7).is_ok()),
    ("a `static` `Limiter`", || LIMITER.check().is_ok()),
    ("governor, made and asked", || RateLimiter::direct(quota()).check().is_ok()),
    ("governor with `MonotonicClock`, made and asked", || {
        RateLimiter::direct_with_clock(quota(), MonotonicClock).check().is_ok()
    }),
    ("a `static` mutex of a `Vec`", || {
        let mut admissions = TEXTBOOK.lock().expect("nobody has panicked");
        admissions.push(Instant::now());
        admissions.len() <= 5
    }),
    #[cfg(feature = "quanta")]
    ("a `static` `Limiter` on `QuantaClock`", || COUNTER.check().is_ok()),
];

/// Whether this is a process that was made for its first call, which it has then made.
pub(crate) fn is_child() -> bool {
    let Ok(asked) = env::var(CALL) else { return false };
    let (place, is_warm) = asked.split_once(' ').expect("both were said");
    let (name, call) = CALLS[place.parse::<usize>().expect("a number was said")];
    if is_warm == "warm" {
        for _ in 0..100 {
            black_box(Instant::now());
        }
    }
    if name == AFTER_ANOTHER {
        assert!(limited().is_ok());
    }
    let before = Instant::now();
    let admitted = black_box(call)();
    let took = before.elapsed();
    assert!(admitted);
    println!("{}", took.as_nanos());
    true
}

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let program = env::current_exe().expect("this program has a path");
    let took = |place: usize, warm: &str| {
        let mut child = Command::new(&program);
        let output = child.env(CALL, format!("{place} {warm}")).output().expect("it runs");
        let nanos = String::from_utf8_lossy(&output.stdout);
        nanos.trim().parse::<f64>().expect("it says how long it took")
    };
    for (warm, heading) in
        [("warm", "after some readings of the clock"), ("cold", "with the first readings of the clock")]
    {
        let found = Rounds::of(extent.rounds(ROUNDS), CALLS.len(), |place| took(place, warm));
        let mut rows = vec![Row::alone("the attribute", found.median(1), Goal::Below(1_000.0))];
        rows.extend(CALLS.iter().enumerate().filter(|&(place, _)| place != 1).map(|(place, (name, _))| {
            Row::beside(
                "the attribute",
                found.median(1),
                (name, found.median(place)),
                found.ratio(1, place),
                Goal::None,
            )
        }));
        report.group(&format!("The first call in a new process, {heading}, ns"), rows);
    }
    report.note(format!(
        "The first call: the median of {} processes, by `Instant`, of which two readings stand around it. What a page costs that \
         is touched for the first time, of the program and of the limiter, is in it.",
        extent.rounds(ROUNDS)
    ));
}

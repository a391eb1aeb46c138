//! How many instructions one decision takes: a number that a noisy machine does not change.
//!
//! `cargo bench -p windowlimit --bench instructions` runs itself under callgrind (Debian: `valgrind`), each case twice, with
//! few calls and with many, so that what is not a decision cancels out.

use std::{
    env,
    hash::Hash,
    hint::black_box,
    num::NonZeroU32,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use governor::{Quota, RateLimiter, nanos::Nanos};
use windowlimit::{Clock, KeyedLimiter, Limit, Limiter};

const FEW: u64 = 2_000;
const MANY: u64 = 102_000;

/// A clock that costs next to nothing: a `ManualClock` looks for those who wait when it is moved.
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Ticks {
    fn tick(&self) {
        self.0.store(self.now() + 1, Ordering::Relaxed);
    }
}

/// A case, and what does it so many times.
type Case = (&'static str, fn(u64));

const TEXT: &str = "sixteen bytes...";

const CASES: [Case; 12] = [
    ("plain, admit", |calls| plain(u32::MAX, false, calls)),
    ("plain, refuse", |calls| plain(1, false, calls)),
    ("plain, admit with a permit", |calls| plain(u32::MAX, true, calls)),
    ("key, admit", |calls| keyed(&7_u64, 1_000_000, false, calls)),
    ("key, refuse", |calls| keyed(&7_u64, 1, false, calls)),
    ("key, admit with a permit", |calls| keyed(&7_u64, 1_000_000, true, calls)),
    ("text, admit", |calls| keyed(TEXT, 1_000_000, false, calls)),
    ("text, refuse", |calls| keyed(TEXT, 1, false, calls)),
    ("governor, key, admit", |calls| governor(&7_u64, 5, calls)),
    ("governor, key, refuse", |calls| governor(&7_u64, 1, calls)),
    ("governor, text, admit", |calls| governor(&TEXT.to_owned(), 5, calls)),
    ("governor, text, refuse", |calls| governor(&TEXT.to_owned(), 1, calls)),
];

/// On a clock that moves on by a fifth of the window from call to call, so that five are live where calls are admitted.
fn plain(max: u32, permit: bool, calls: u64) {
    let clock = Ticks(AtomicU64::new(1_000_000_000));
    let limits = [Limit::new(max.min(5), Duration::from_nanos(5)).expect("a window above zero")];
    let limiter = Limiter::builder().limits(limits).clock(&clock).build().expect("a limit");
    let admits = max > 1;
    let _ = limiter.check();
    for _ in 0..calls {
        if admits {
            clock.tick();
        }
        let is_admitted = one(black_box(&limiter), permit);
        assert_eq!(is_admitted, admits);
    }
}

#[inline(never)]
fn one(limiter: &Limiter<&Ticks>, permit: bool) -> bool {
    if permit { limiter.try_acquire().is_ok() } else { limiter.check().is_ok() }
}

fn keyed<K: Hash + ?Sized>(key: &K, max: u32, permit: bool, calls: u64) {
    let clock = Ticks(AtomicU64::new(1_000_000_000));
    let limits = [Limit::new(max.min(5), Duration::from_nanos(5)).expect("a window above zero")];
    let limiter = KeyedLimiter::builder().limits(limits).clock(&clock).build().expect("a limit");
    let admits = max > 1;
    let _ = limiter.check(key);
    for _ in 0..calls {
        if admits {
            clock.tick();
        }
        let is_admitted = one_of_key(black_box(&limiter), black_box(key), permit);
        assert_eq!(is_admitted, admits);
    }
}

#[inline(never)]
fn one_of_key<K: Hash + ?Sized>(limiter: &KeyedLimiter<&Ticks>, key: &K, permit: bool) -> bool {
    if permit { limiter.try_acquire(key).is_ok() } else { limiter.check(key).is_ok() }
}

/// The same clock, in governor's words.
#[derive(Clone)]
struct SameTicks(Arc<Ticks>);

impl governor::clock::Clock for SameTicks {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::new(self.0.now())
    }
}

fn governor<K: Hash + Eq + Clone>(key: &K, max: u32, calls: u64) {
    let ticks = Arc::new(Ticks(AtomicU64::new(1_000_000_000)));
    let burst = NonZeroU32::new(max).expect("no limit here is 0");
    let quota = Quota::with_period(Duration::from_nanos(1)).expect("a period above zero").allow_burst(burst);
    let limiter = RateLimiter::dashmap_with_clock(quota, SameTicks(ticks.clone()));
    let admits = max > 1;
    let check = |key: &K| black_box(&limiter).check_key(key).is_ok();
    let _ = check(key);
    for _ in 0..calls {
        if admits {
            ticks.tick();
        }
        assert_eq!(check(black_box(key)), admits);
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [run, case, calls] = &arguments[..] {
        if run == "--run" {
            let case: usize = case.parse().expect("the number of a case");
            return CASES[case].1(calls.parse().expect("how many calls"));
        }
    }
    let program = env::current_exe().expect("this program has a path");
    println!("instructions of one decision, with the loop around it, on a clock that is a word");
    for (place, (name, _)) in CASES.iter().enumerate() {
        let Some([few, many]) = counts(&program, place) else {
            println!("SKIPPED: valgrind did not run; Debian has it as `valgrind`");
            return;
        };
        #[allow(clippy::cast_precision_loss)] // far from it
        let each = (many - few) as f64 / (MANY - FEW) as f64;
        println!("{name:30} {each:8.2}");
    }
}

/// The instructions of few calls and of many.
fn counts(program: &Path, place: usize) -> Option<[u64; 2]> {
    let count = |calls: u64| {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(program)
            .args(["--run", &place.to_string(), &calls.to_string()])
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let (_, count) = said.split_once("Collected : ")?;
        count.split_whitespace().next()?.parse().ok()
    };
    Some([count(FEW)?, count(MANY)?])
}

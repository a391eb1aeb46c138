//! Models of the windows that are shared without a lock: every interleaving of a few threads, and every value that the
//! memory model lets them read.
//!
//! `tests/run.sh loom` runs them. Under the model checker a first circle has two slots, so that growth is near.
#![forbid(unsafe_code)]
#![cfg(windowlimit_loom)]

mod changes;
mod counted;
mod fixed;
mod line;
mod queue;
mod refusals;
mod ring;
mod segmented;

use std::{sync::Arc, time::Duration};

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use windowlimit::{Algorithm, Clock, Limit, Limiter, Sleep};

/// A clock that all threads agree on, as they do on the system's: a step of the model like any other, that orders
/// nothing. (A read-modify-write sees the last value under any ordering, a load might see an older one.)
struct ModelClock(AtomicU64, Ordering);

impl Clock for ModelClock {
    fn now(&self) -> u64 {
        self.0.fetch_add(0, self.1)
    }

    /// Nobody sleeps by the clock: who waits is woken by somebody else, or never.
    fn sleep_until(&self, _: u64) -> Sleep<'_> {
        Sleep::new(std::future::pending())
    }
}

impl ModelClock {
    fn advance(&self, nanos: u64) {
        self.0.fetch_add(nanos, self.1);
    }

    fn set(&self, nanos: u64) {
        self.0.swap(nanos, self.1);
    }
}

type Modelled = Arc<Limiter<Arc<ModelClock>>>;

fn per(max: u32, nanos: u64) -> Limit {
    Limit::new(max, Duration::from_nanos(nanos)).expect("the window is above zero")
}

fn limiter(limits: &[Limit]) -> (Modelled, Arc<ModelClock>) {
    on_clock(ModelClock(AtomicU64::new(1_000), Ordering::Relaxed), limits)
}

fn on_clock(clock: ModelClock, limits: &[Limit]) -> (Modelled, Arc<ModelClock>) {
    let clock = Arc::new(clock);
    with_algorithm(Algorithm::Exact, clock, limits)
}

fn with_algorithm(
    algorithm: Algorithm,
    clock: Arc<ModelClock>,
    limits: &[Limit],
) -> (Modelled, Arc<ModelClock>) {
    let limiter = Limiter::builder().limits(limits.iter().copied()).algorithm(algorithm).clock(clock.clone());
    (Arc::new(limiter.build().expect("it has limits")), clock)
}

fn admitted(limiter: &Modelled, calls: usize) -> usize {
    (0..calls).filter(|_| limiter.check().is_ok()).count()
}

/// Another thread with so many calls; it tells how many were admitted.
fn elsewhere(limiter: &Modelled, calls: usize) -> thread::JoinHandle<usize> {
    let limiter = limiter.clone();
    thread::spawn(move || admitted(&limiter, calls))
}

/// Other threads, each with so many calls, and so many in this one; how many were admitted in all.
fn together(limiter: &Modelled, others: &[usize], mine: usize) -> usize {
    let others: Vec<_> = others.iter().map(|&calls| elsewhere(limiter, calls)).collect();
    admitted(limiter, mine) + others.into_iter().map(|other| other.join().expect("no panic")).sum::<usize>()
}

/// Explores; large models up to a number of preemptions that is enough to break every mutant.
fn model(preemptions: Option<usize>, check: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(check);
}

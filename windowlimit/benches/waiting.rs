//! Ten thousand calls in line: what each takes in memory, what it costs to admit one, and whether a limit is used up.
//!
//! `cargo bench -p windowlimit --bench waiting`

use std::{
    alloc::System,
    num::NonZeroU32,
    pin::Pin,
    sync::Arc,
    task::{Context, Waker},
    time::{Duration, Instant},
};

use cpu_time::ProcessTime;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter as Governor};
use leaky_bucket::RateLimiter as LeakyBucket;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::{runtime, task::JoinSet};
use windowlimit::{Limit, Limiter};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A limit of so many in a window that is short enough for a run of many.
const MOST: u32 = 1_000;
const WINDOW: Duration = Duration::from_millis(20);

type Turn = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A limiter that one can wait for.
#[derive(Clone)]
enum Subject {
    /// With a longest wait, if it has one: then each call has to know its turn before it joins.
    Windowlimit(Arc<Limiter>, Option<Duration>),
    LeakyBucket(Arc<LeakyBucket>),
    Governor(Arc<DefaultDirectRateLimiter>),
}

const NAMES: [&str; 4] = ["windowlimit", "windowlimit, `within`", "leaky-bucket", "governor"];

impl Subject {
    /// With the same limit, as near as it has it.
    fn new(name: &str, window: Duration) -> Self {
        let most = NonZeroU32::new(MOST).expect("it is above zero");
        match name {
            "windowlimit" | "windowlimit, `within`" => {
                let limit = Limit::new(MOST, window).expect("the window is above zero");
                let limiter = Limiter::builder().limit(limit).build().expect("it has a limit");
                let longest = Duration::from_secs(1_000_000);
                Self::Windowlimit(Arc::new(limiter), (name != "windowlimit").then_some(longest))
            }
            "leaky-bucket" => {
                let most = MOST as usize;
                let mut limiter = LeakyBucket::builder();
                limiter.max(most).initial(most).refill(most).interval(window);
                Self::LeakyBucket(Arc::new(limiter.build()))
            }
            _ => {
                let quota = Quota::with_period(window / MOST).expect("it is above zero").allow_burst(most);
                Self::Governor(Arc::new(Governor::direct(quota)))
            }
        }
    }

    fn turn(&self) -> Turn {
        match self.clone() {
            Self::Windowlimit(limiter, None) => Box::pin(async move { drop(limiter.acquire().await) }),
            Self::Windowlimit(limiter, Some(longest)) => {
                Box::pin(async move { drop(limiter.acquire_within(longest).await) })
            }
            Self::LeakyBucket(limiter) => Box::pin(async move { limiter.acquire_one().await }),
            Self::Governor(limiter) => Box::pin(async move { limiter.until_ready().await }),
        }
    }
}

fn main() {
    // Without it, this is a test of whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let calls: u32 = if is_bench { 10_000 } else { 2_000 };
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("a runtime can be had");
    println!("| {calls} calls in line | {} |", NAMES.join(" | "));
    println!("|---|{}", "---|".repeat(NAMES.len()));
    let memory = NAMES.map(|name| {
        let _context = runtime.enter();
        bytes_a_waiter(name, calls).to_string()
    });
    println!("| bytes a call that waits | {} |", memory.join(" | "));
    let drained = NAMES.map(|name| runtime.block_on(drain(name, calls)));
    let cpu = drained
        .each_ref()
        .map(|drained| format!("{:.2} us", drained.cpu.as_secs_f64() * 1e6 / f64::from(calls)));
    println!("| processor time to admit one | {} |", cpu.join(" | "));
    let least = WINDOW * ((calls - 1) / MOST);
    let late = drained.each_ref().map(|drained| format!("{:.1} ms", drained.wall.as_secs_f64() * 1e3));
    println!(
        "| until all are admitted; at least {least:?} where a window holds no more | {} |",
        late.join(" | ")
    );
    let windows = drained.each_ref().map(|drained| worst_and_least(&drained.instants));
    println!("| admitted in a window: at most, and in the least full of ten | {} |", windows.join(" | "));
}

/// What each call holds, its future included.
fn bytes_a_waiter(name: &str, calls: u32) -> usize {
    let subject = Subject::new(name, Duration::from_secs(3_600));
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..MOST {
        assert!(subject.turn().as_mut().poll(&mut context).is_ready());
    }
    let mut turns: Vec<Turn> = Vec::with_capacity(calls as usize);
    let region = Region::new(ALLOCATOR);
    for _ in 0..calls {
        let mut turn = subject.turn();
        assert!(turn.as_mut().poll(&mut context).is_pending());
        turns.push(turn);
    }
    let change = region.change();
    change.bytes_allocated.saturating_sub(change.bytes_deallocated) / calls as usize
}

struct Drained {
    wall: Duration,
    cpu: Duration,
    instants: Vec<Instant>,
}

async fn drain(name: &str, calls: u32) -> Drained {
    let subject = Subject::new(name, WINDOW);
    let mut tasks = JoinSet::new();
    let (started, cpu) = (Instant::now(), ProcessTime::now());
    for _ in 0..calls {
        let turn = subject.turn();
        tasks.spawn(async move {
            turn.await;
            Instant::now()
        });
    }
    let mut instants = tasks.join_all().await;
    instants.sort_unstable();
    Drained { wall: started.elapsed(), cpu: cpu.elapsed(), instants }
}

/// The most in any window, and the fewest in one of ten that follow each other from the first admission.
fn worst_and_least(instants: &[Instant]) -> String {
    let until = |from: Instant| instants.partition_point(|&at| at < from + WINDOW);
    let worst = instants.iter().enumerate().map(|(place, &from)| until(from) - place).max().unwrap_or(0);
    let from = |window: u32| instants.partition_point(|&at| at < instants[0] + WINDOW * window);
    let windows = u32::try_from(instants.len()).unwrap_or(u32::MAX) / MOST;
    let least = (0..windows.min(10)).map(|window| from(window + 1) - from(window)).min().unwrap_or(0);
    format!("{worst}, {least}")
}

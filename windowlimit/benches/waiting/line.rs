//! Those that one can wait for, and ten thousand calls in line at them.

use std::{
    num::NonZeroU32,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use cpu_time::ProcessTime;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter as Governor};
use leaky_bucket::RateLimiter as LeakyBucket;
use tokio::task::JoinSet;
use windowlimit::{Limit, Limiter};

/// A limit of so many in a window that is short enough for a run of many.
pub(crate) const MOST: u32 = 1_000;
pub(crate) const WINDOW: Duration = Duration::from_millis(20);

pub(crate) type Turn = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A limiter that one can wait for.
#[derive(Clone)]
pub(crate) enum Subject {
    /// With a longest wait, if it has one: then each call has to know its turn before it joins.
    Windowlimit(Arc<Limiter>, Option<Duration>),
    LeakyBucket(Arc<LeakyBucket>),
    Governor(Arc<DefaultDirectRateLimiter>),
}

pub(crate) const NAMES: [&str; 4] = ["windowlimit", "windowlimit, `within`", "leaky-bucket", "governor"];

impl Subject {
    /// With the same limit, as near as it has it.
    pub(crate) fn new(name: &str, window: Duration) -> Self {
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

    pub(crate) fn turn(&self) -> Turn {
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

/// How the calls of a line came to their turns.
pub(crate) struct Drained {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
    pub(crate) instants: Vec<Instant>,
}

/// Lets so many calls join, and come to their turns.
pub(crate) async fn drain(name: &str, calls: u32) -> Drained {
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

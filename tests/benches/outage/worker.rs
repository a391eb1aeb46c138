//! One of the processes: callers that ask all the time, and tell of each call what came of it.

use std::{
    env,
    io::{Read, Write, stdout},
    sync::{Arc, LazyLock},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{
    runtime,
    sync::{mpsc, oneshot},
    time,
};
use windowlimit::{Limit, OnStoreError, RateLimitExceeded, Reason, RedisStore, SharedLimiter};

pub(crate) const ADDRESSES: &str = "WINDOWLIMIT_OUTAGE_ON";
pub(crate) const N: u32 = 200;
pub(crate) const W: Duration = Duration::from_millis(250);
/// Async callers of each process.
pub(crate) const CALLERS: usize = 6;
/// Of the store, unless it is told otherwise; in microseconds.
pub(crate) const DEADLINE: u64 = 50_000;
/// What a process says when it could begin.
pub(crate) const READY: &str = "ready";
/// A call that was not admitted is made again after this.
const PAUSE: Duration = Duration::from_millis(5);

pub(crate) fn now() -> u64 {
    micros(SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later"))
}

pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).expect("it is not that late")
}

/// The work of such a process, if this is one.
pub(crate) fn is_one() -> bool {
    let Ok(addresses) = env::var(ADDRESSES) else { return false };
    let addresses: Vec<_> = addresses.split(' ').collect();
    let store = match addresses[..] {
        [address] => RedisStore::builder(address),
        _ => RedisStore::cluster(addresses),
    };
    // So that refusals are asked for as well.
    let store = store.expect("they are addresses").remember(Duration::ZERO).build();
    let limiter = SharedLimiter::builder(&store, "load")
        .limit(Limit::new(N, W).expect("it is one"))
        .on_store_error(OnStoreError::Deny)
        .build()
        .expect("it has a limit");
    let limiter = Arc::new(limiter);
    let timers = timers();
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("it can be made");
    // All processes begin at once, when none of them is being started any more.
    println!("{READY}");
    let _ = std::io::stdin().read(&mut [0]);
    thread::spawn(|| {
        // Until the one who has started this lets go.
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let plain = Arc::clone(&limiter);
    thread::spawn(move || {
        loop {
            let from = now();
            let decided = plain.check(&());
            tell(from, now(), 0, &decided);
            if decided.is_err() {
                thread::sleep(PAUSE);
            }
        }
    });
    runtime.block_on(async {
        let mut callers = tokio::task::JoinSet::new();
        for _ in 0..CALLERS {
            let limiter = Arc::clone(&limiter);
            let timers = timers.clone();
            callers.spawn(async move {
                loop {
                    let from = now();
                    let timer = tokio::spawn(timer(timers.clone()));
                    let decided = limiter.check_async(&()).await;
                    let to = now();
                    let is_admitted = decided.is_ok();
                    if to - from < DEADLINE {
                        timer.abort();
                        tell(from, to, 0, &decided);
                    } else {
                        tell(from, to, timer.await.expect("it tells"), &decided);
                    }
                    if is_admitted {
                        tokio::task::yield_now().await;
                    } else {
                        time::sleep(PAUSE).await;
                    }
                }
            });
        }
        callers.join_next().await;
    });
    true
}

/// When a timer has ended that was set to the deadline.
async fn timer(timers: Timers) -> u64 {
    let (sender, receiver) = oneshot::channel();
    timers.send(sender).expect("the thread is there");
    receiver.await.expect("it tells");
    now()
}

type Timers = mpsc::UnboundedSender<oneshot::Sender<()>>;

/// A thread that waits for the deadline on a runtime of its own, and then tells who has asked.
fn timers() -> Timers {
    let (sender, mut receiver) = mpsc::unbounded_channel::<oneshot::Sender<()>>();
    thread::spawn(move || {
        let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("it can be made");
        runtime.block_on(async {
            while let Some(asker) = receiver.recv().await {
                tokio::spawn(async move {
                    time::sleep(Duration::from_micros(DEADLINE)).await;
                    let _ = asker.send(());
                });
            }
        });
    });
    sender
}

/// Of a call: what came of it, from when to when it took, and when a timer ended that was set to its deadline, or 0.
fn tell(from: u64, to: u64, timer: u64, decided: &Result<(), RateLimitExceeded>) {
    let outcome = match decided {
        Ok(()) => "admitted",
        Err(refusal) if refusal.reason() == Reason::StoreUnavailable => "denied",
        Err(_) => "refused",
    };
    TOLD.send(format!("{outcome} {from} {to} {timer}\n")).expect("the thread is there");
}

/// No caller waits until somebody has read what it tells.
static TOLD: LazyLock<std::sync::mpsc::Sender<String>> = LazyLock::new(|| {
    let (sender, lines) = std::sync::mpsc::channel::<String>();
    thread::spawn(move || {
        for line in lines {
            // Nobody listens any more when it fails.
            let _ = stdout().lock().write_all(line.as_bytes());
        }
    });
    sender
});

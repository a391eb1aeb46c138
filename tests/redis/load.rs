//! Load from four processes, and a record of everything that was admitted.

use std::{
    env,
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use windowlimit::{Limit, OnStoreError, Reason, RedisStore, SharedLimiter};
use windowlimit_tests::witness::{Admission, excess, most_in_a_window};

const ADDRESSES: &str = "WINDOWLIMIT_LOAD_ON";
const LIMITS: &str = "WINDOWLIMIT_LOAD_LIMITS";
/// By how many microseconds the clock of the process is ahead.
const AHEAD: &str = "WINDOWLIMIT_LOAD_AHEAD";

pub(crate) const N: u32 = 20;
pub(crate) const W: Duration = Duration::from_millis(500);
const WINDOW: u64 = 500_000;

/// A process that has several limits changes from one to the next after so many calls: a second or two, in which windows
/// fill and become empty.
const CALLS_OF_A_LIMIT: usize = 250;

/// Four processes at work.
pub(crate) struct Load {
    children: Vec<Child>,
    told: Arc<Told>,
}

#[derive(Default)]
struct Told {
    admissions: Mutex<Vec<Admission>>,
    denied: AtomicUsize,
    /// The clock of each process when it began, and ours when we heard of it.
    clocks: Mutex<Vec<(i64, i64)>>,
}

/// What one of the processes does.
#[derive(Clone, Copy)]
pub(crate) struct Worker {
    /// It goes from one limit to the next, and round.
    pub(crate) limits: &'static str,
    /// By how many seconds its clock is ahead.
    pub(crate) ahead: i64,
}

impl Worker {
    pub(crate) const PLAIN: Self = Self { limits: "20", ahead: 0 };
}

/// The work of such a process, if this is one: it admits what it can, tells of it, and refuses while the store is away.
pub(crate) fn is_worker() -> bool {
    let Ok(addresses) = env::var(ADDRESSES) else { return false };
    let variable = |name| env::var(name).expect("whoever starts this says so");
    let limits = variable(LIMITS);
    let mut limits = limits.split(',').map(|limit| limit.parse().expect("a number")).cycle();
    let ahead: u64 = variable(AHEAD).parse::<i64>().expect("a number").cast_unsigned();
    let mut max = limits.next().expect("there is one");
    let limiter = SharedLimiter::builder(&store(&addresses), "load")
        .limit(Limit::new(max, W).expect("it is one"))
        .on_store_error(OnStoreError::Deny)
        .build()
        .expect("it has a limit");
    thread::spawn(|| {
        // Until the one who has started this lets go.
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    println!("clock {}", now());
    for call in 1.. {
        // On the clock that is right.
        let from = now().wrapping_sub(ahead);
        match limiter.check(&()) {
            Ok(()) => println!("{from} {} {max}", now().wrapping_sub(ahead)),
            Err(refusal) if refusal.reason() == Reason::StoreUnavailable => {
                println!("denied");
                thread::sleep(DENIED);
            }
            // As a client does that is told when to come back; or sooner, for a refusal is worth nothing if it is not asked.
            Err(refusal) => thread::sleep(refusal.retry_after().unwrap_or(W).min(Duration::from_millis(5))),
        }
        if call % CALLS_OF_A_LIMIT == 0 {
            max = limits.next().expect("they go round");
            limiter.set_limits([Limit::new(max, W).expect("it is one")]).expect("it can be kept");
        }
    }
    true
}

/// A process that is refused for want of a store comes back no sooner.
pub(crate) const DENIED: Duration = Duration::from_millis(5);

/// The store at this address, or on the cluster at these.
pub(crate) fn store(addresses: &str) -> RedisStore {
    let addresses: Vec<_> = addresses.split(' ').collect();
    let store = match addresses[..] {
        [address] => RedisStore::builder(address),
        _ => RedisStore::cluster(addresses),
    };
    // What one process is refused, another may have given back, or have other limits for.
    store.expect("they are addresses").remember(Duration::from_millis(5)).build()
}

pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later");
    u64::try_from(now.as_micros()).expect("it is not that late")
}

impl Load {
    /// Of four that all do the same, on the server at this address or the cluster at these.
    pub(crate) fn on(addresses: &str) -> Self {
        Self::of(addresses, [Worker::PLAIN; 4])
    }

    pub(crate) fn of(addresses: &str, workers: [Worker; 4]) -> Self {
        Self::with(addresses, workers, &[])
    }

    /// In processes that have these variables.
    pub(crate) fn with(addresses: &str, workers: [Worker; 4], variables: &[(&str, String)]) -> Self {
        let told = Arc::new(Told::default());
        let start = |(process, worker): (usize, Worker)| {
            let program = env::current_exe().expect("this is a program");
            let mut command = match worker.ahead {
                0 => Command::new(program),
                ahead => {
                    let mut command = Command::new("faketime");
                    command.args(["-f", &format!("{ahead:+}s")]).arg(program);
                    // The clock by which threads sleep is nobody's opinion, and the kernel keeps it.
                    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
                    command
                }
            };
            let mut child = command
                .env(ADDRESSES, addresses)
                .envs(variables.iter().map(|(name, value)| (name, value)))
                .env(LIMITS, worker.limits)
                .env(AHEAD, (worker.ahead * 1_000_000).to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("it can be started again");
            let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
            let told = Arc::clone(&told);
            thread::spawn(move || {
                for line in lines.map_while(Result::ok) {
                    told.hear(process, &line);
                }
            });
            child
        };
        let children = workers.into_iter().enumerate().map(start).collect();
        Self { children, told }
    }

    pub(crate) fn denied(&self) -> usize {
        self.told.denied.load(Ordering::Relaxed)
    }

    /// All that was admitted so far, in the order of asking.
    pub(crate) fn admissions(&self) -> Vec<Admission> {
        let mut admissions = self.told.admissions.lock().expect("nobody panics").clone();
        admissions.sort_unstable_by_key(|admission| admission.from);
        admissions
    }

    /// How many were admitted that were asked for since.
    pub(crate) fn admitted_since(&self, since: u64) -> usize {
        let admissions = self.told.admissions.lock().expect("nobody panics");
        admissions.iter().filter(|admission| admission.from >= since).count()
    }

    /// By how many microseconds the clock of each process was ahead of ours when it began, and a little less: it has taken a
    /// moment to hear of it.
    pub(crate) fn clocks(&self) -> Vec<i64> {
        let clocks = self.told.clocks.lock().expect("nobody panics");
        clocks.iter().map(|(theirs, ours)| theirs - ours).collect()
    }
}

impl Told {
    fn hear(&self, process: usize, line: &str) {
        let words: Vec<_> = line.split(' ').collect();
        let number = |word: &str| word.parse::<u64>().expect("a number");
        match words[..] {
            ["denied"] => {
                self.denied.fetch_add(1, Ordering::Relaxed);
            }
            ["clock", theirs] => {
                let clocks = (number(theirs).cast_signed(), now().cast_signed());
                self.clocks.lock().expect("nobody panics").push(clocks);
            }
            [from, to, limit] => {
                let limit = limit.parse().expect("a number");
                let admission = Admission { from: number(from), to: number(to), limit, process };
                self.admissions.lock().expect("nobody panics").push(admission);
            }
            // The last, of a process that was ended in the middle of it.
            _ => {}
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// No window holds more than N that are known to lie in it.
pub(crate) fn check(admissions: &[Admission]) {
    let most = most_in_a_window(admissions, WINDOW);
    assert!(most <= N as usize, "{most} in {W:?}: {admissions:?}");
    check_each(admissions);
}

/// No call was admitted that its own limit forbade, whatever limits the others had.
pub(crate) fn check_each(admissions: &[Admission]) {
    let excess = excess(admissions, WINDOW);
    assert_eq!(excess, None, "admitted, and after how many in {W:?}: {admissions:?}");
}

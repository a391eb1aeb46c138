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

use crate::server::Server;

const VARIABLE: &str = "WINDOWLIMIT_LOAD_ON";

pub(crate) const N: u32 = 20;
pub(crate) const W: Duration = Duration::from_millis(500);

/// One admission: it was made at some instant between these, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Admission {
    pub(crate) from: u64,
    pub(crate) to: u64,
}

/// Four processes at work.
pub(crate) struct Load {
    children: Vec<Child>,
    admissions: Arc<Mutex<Vec<Admission>>>,
    denied: Arc<AtomicUsize>,
}

/// The work of such a process, if this is one: it admits what it can, tells of it, and refuses while the store is away.
pub(crate) fn is_worker() -> bool {
    let Ok(address) = env::var(VARIABLE) else { return false };
    let store = RedisStore::open(&address).expect("it is an address");
    let limiter = SharedLimiter::builder(&store, "load")
        .limit(Limit::new(N, W).expect("it is one"))
        .on_store_error(OnStoreError::Deny)
        .build()
        .expect("it has a limit");
    thread::spawn(|| {
        // Until the one who has started this lets go.
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    loop {
        let from = now();
        match limiter.check(&()) {
            Ok(()) => println!("{from} {}", now()),
            Err(refusal) if refusal.reason() == Reason::StoreUnavailable => {
                println!("denied");
                thread::sleep(Duration::from_millis(5));
            }
            // As a client does that is told when to come back; or sooner, for a refusal is worth nothing if it is not asked.
            Err(refusal) => thread::sleep(refusal.retry_after().unwrap_or(W).min(Duration::from_millis(5))),
        }
    }
}

pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later");
    u64::try_from(now.as_micros()).expect("it is not that late")
}

impl Load {
    pub(crate) fn on(server: &Server) -> Self {
        let (admissions, denied) = (Arc::default(), Arc::default());
        let mut load = Self { children: Vec::new(), admissions, denied };
        for _ in 0..4 {
            let mut child = Command::new(env::current_exe().expect("this is a program"))
                .env(VARIABLE, server.address())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("it can be started again");
            let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
            let (admissions, denied) = (Arc::clone(&load.admissions), Arc::clone(&load.denied));
            thread::spawn(move || {
                for line in lines.map_while(Result::ok) {
                    match line.split_once(' ').map(|(from, to)| (from.parse(), to.parse())) {
                        Some((Ok(from), Ok(to))) => {
                            admissions.lock().expect("nobody panics").push(Admission { from, to });
                        }
                        _ => {
                            denied.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
            load.children.push(child);
        }
        load
    }

    pub(crate) fn denied(&self) -> usize {
        self.denied.load(Ordering::Relaxed)
    }

    /// All that was admitted so far, in the order of asking.
    pub(crate) fn admissions(&self) -> Vec<Admission> {
        let mut admissions = self.admissions.lock().expect("nobody panics").clone();
        admissions.sort_unstable_by_key(|admission| admission.from);
        admissions
    }

    /// How many were admitted that were asked for since.
    pub(crate) fn admitted_since(&self, since: u64) -> usize {
        self.admissions().iter().filter(|admission| admission.from >= since).count()
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
    let window = u64::try_from(W.as_micros()).expect("it is short");
    for some in admissions.windows(N as usize + 1) {
        let last = some.iter().map(|admission| admission.to).max().expect("there are some");
        assert!(last - some[0].from >= window, "more than {N} in {W:?}: {some:?}");
    }
}

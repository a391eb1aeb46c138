//! Processes, threads and tasks that wait on the clock of the server, by which time passes.

use std::{
    sync::{Arc, Mutex},
    thread,
};

use windowlimit::{Decider, Limit, OnStoreError, RedisStore, SharedLimiter};

use super::{ms, per};
use crate::server::{Program, Server, until};

/// The instants of all admissions, by the server's own clock, as they stand in its log.
fn log(server: &Server, key: &str) -> Vec<u64> {
    let text: Vec<u8> = redis::cmd("GET").arg(key).query(&mut server.connect()).expect("the server answers");
    text.chunks_exact(8).map(|record| u64::from_be_bytes(record.try_into().expect("eight bytes"))).collect()
}

fn check(log: &[u64], limit: Limit) {
    let window = u64::try_from(limit.window().as_micros()).expect("it is short");
    for some in log.windows(limit.max() as usize + 1) {
        assert!(some[some.len() - 1] - some[0] >= window, "more than {limit:?}: {some:?}");
    }
}

const VARIABLE: &str = "WINDOWLIMIT_WAIT_ON";
const N: u32 = 4;
const MILLIS: u64 = 100;

/// On a server whose key is kept, so that all of it can be seen afterwards.
fn kept(store: &RedisStore) -> SharedLimiter {
    let limiter = SharedLimiter::builder(store, "kept").limit(per(N, MILLIS)).longest(ms(3_600_000));
    limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit")
}

/// The work of a process, if this is one: ten calls wait, on threads that are blocked, and each tells its place.
pub(crate) fn is_worker() -> bool {
    let Ok(address) = std::env::var(VARIABLE) else { return false };
    let store = RedisStore::builder(&address).expect("it is an address").deadline(ms(20_000)).build();
    let limiter = kept(&store);
    let order = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for id in 0..10 {
            let (limiter, order) = (&limiter, &order);
            scope.spawn(move || {
                let permit = limiter.acquire_blocking(&()).expect("there is no bound");
                assert_eq!(permit.decider(), Decider::Store);
                order.lock().expect("nobody panics").push(id);
            });
            // One after the other.
            until("it stands in line", || {
                limiter.waiting(&()) + order.lock().expect("nobody panics").len() > id
            });
        }
    });
    println!("{} {:?}", store.asked(), order.into_inner().expect("nobody panics"));
    true
}

pub(crate) fn processes_share_a_window_that_they_wait_for(program: &Program) {
    let server = Server::start(program);
    let workers: Vec<_> = (0..3)
        .map(|_| {
            std::process::Command::new(std::env::current_exe().expect("this is a program"))
                .env(VARIABLE, server.address())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .expect("it can be started again")
        })
        .collect();
    for worker in workers {
        let output = worker.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("it is text");
        assert!(output.status.success(), "{text}");
        let asked = text.split(' ').next().and_then(|asked| asked.parse::<usize>().ok()).expect("a number");
        // A few for each: once more whenever another process was sooner, or an answer took longer than the last.
        assert!(asked <= 10 * 3 * 10, "{asked} questions");
    }
    let log = log(&server, "windowlimit:kept:");
    assert_eq!(log.len(), 30);
    check(&log, per(N, MILLIS));
}

/// In real time, on a runtime: in order, never too many, and with few questions.
pub(crate) fn a_line_moves_on_the_clock_of_the_server(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().build();
    let limiter = Arc::new(kept(&store));
    let order = Arc::new(Mutex::new(Vec::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it can be made");
    runtime.block_on(async {
        let tasks = (0..30_usize).map(|id| {
            let (limiter, order) = (Arc::clone(&limiter), Arc::clone(&order));
            tokio::spawn(async move {
                let permit = limiter.acquire(&()).await.expect("there is no bound");
                assert_eq!((permit.decider(), permit.remaining() < N), (Decider::Store, true));
                order.lock().expect("nobody panics").push(id);
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.expect("it ends");
        }
    });
    let order = order.lock().expect("nobody panics").clone();
    assert!(order.iter().copied().eq(0..30), "{order:?}");
    let log = log(&server, "windowlimit:kept:");
    assert_eq!(log.len(), 30);
    check(&log, per(N, MILLIS));
    // One that admits and one that says when, for each; and a few for timers and answers that took longer than others.
    assert!(store.asked() <= 10 * 30, "{} questions", store.asked());
    println!("{} questions for 30 calls that wait", store.asked());
}

/// Calls that come and go at any moment, from several threads: what is charged in the end is what was admitted.
pub(crate) fn calls_that_give_up_cost_nothing_under_load(program: &Program) {
    let server = Server::start(program);
    let stores = [server.patient().build(), server.patient().build()];
    let limiters = stores.each_ref().map(|store| Arc::new(kept(store)));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
    let admitted = runtime.expect("it can be made").block_on(async {
        let mut rng = fastrand::Rng::with_seed(7);
        let tasks = (0..300).map(|id| {
            let limiter = Arc::clone(&limiters[id % 2]);
            let (comes, patience) = (ms(rng.u64(..400)), ms(rng.u64(..100)));
            tokio::spawn(async move {
                tokio::time::sleep(comes).await;
                tokio::time::timeout(patience, limiter.acquire(&()))
                    .await
                    .is_ok_and(|decided| decided.is_ok())
            })
        });
        let mut admitted = 0;
        for task in tasks.collect::<Vec<_>>() {
            admitted += usize::from(task.await.expect("it ends"));
        }
        admitted
    });
    // Nobody is stuck behind one who has left.
    for limiter in &limiters {
        assert_eq!(limiter.waiting(&()), 0);
        assert!(limiter.acquire_blocking(&()).is_ok());
    }
    until("the rest is given back", || log(&server, "windowlimit:kept:").len() == admitted + 2);
    check(&log(&server, "windowlimit:kept:"), per(N, MILLIS));
    assert!(limiters.iter().all(|limiter| limiter.degraded() == 0));
}

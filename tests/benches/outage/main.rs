//! What becomes of calls when a server fails: `cargo bench -p windowlimit-tests --features redis --bench outage`, or with the
//! names of scenes behind `--`. Four processes ask all the time, through each scene of the tests and a few times over.
//! `windowlimit/benches/README.md` says what came of it.
//!
//! Of the calls whose deadline passed: by how much they came back later. Each async call has a timer beside it, which is set to
//! the same deadline on a thread of its own and tells an async caller: what a deadline is without a store, and so the machine's
//! own part. Recovery is from the end of the scene until the last of the processes is admitted again by the store.
#![forbid(unsafe_code)]

#[path = "../../redis/door.rs"]
mod door;
#[allow(dead_code)] // what only the tests need
#[path = "../../redis/masters.rs"]
mod masters;
#[allow(dead_code)] // what only the tests need
#[path = "../../redis/scenes.rs"]
mod scenes;
#[allow(dead_code)] // what only the tests need
#[path = "../../redis/server.rs"]
mod server;

mod crew;
mod worker;

use std::{env, thread, time::Duration};

use crew::Crew;
use masters::{OwnerKilled, SlotMoved};
use scenes::{SCENES, Start};
use server::Program;
use windowlimit_tests::witness::{Admission, most_in_a_window};

const ROUNDS: usize = 3;

fn main() {
    if worker::is_one() {
        return;
    }
    let program = Program::find("redis", "redis-server", "WINDOWLIMIT_REDIS_SERVER");
    let program = program.unwrap_or_else(|why| panic!("{why}"));
    let cluster: [(&str, Start); 2] = [
        ("in a cluster, the owner killed", |program| Box::new(OwnerKilled::start(program))),
        ("in a cluster, a slot moves", |program| Box::new(SlotMoved::start(program))),
    ];
    let wanted: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!(
        "N = {}, W = {:?}, {} async callers and a plain one in each of four processes\n",
        worker::N,
        worker::W,
        worker::CALLERS
    );
    println!(
        "| scene | calls | past their deadline | later by, ms: 50th / 99th / most | a timer of the same | later than that | \
         recovery, ms | most in a window |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, start) in SCENES.into_iter().chain(cluster) {
        if wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted.as_str())) {
            println!("{}", measure(name, start, &program));
        }
    }
}

fn measure(name: &str, start: Start, program: &Program) -> String {
    let (mut late, mut timers, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    let (mut calls, mut recoveries, mut most) = (0, Vec::new(), 0);
    for _ in 0..ROUNDS {
        let mut scene = start(program);
        let crew = Crew::on(&scene.address());
        let admitted = |since| {
            server::until("each process is admitted", || {
                thread::sleep(Duration::from_millis(20));
                (0..4).all(|process| crew.first_admission(process, since).is_some())
            });
        };
        if !scene.has_begun() {
            admitted(0);
            thread::sleep(Duration::from_millis(500));
        }
        scene.begin();
        thread::sleep(Duration::from_secs(if scene.is_long() { 5 } else { 2 }));
        scene.end();
        let back = worker::now();
        admitted(back);
        let first = (0..4).filter_map(|process| crew.first_admission(process, back)).max();
        recoveries.push(first.map_or(0, |first| first - back));
        thread::sleep(Duration::from_millis(500));
        let told = crew.end();
        for (by, timer) in told.iter().filter_map(crew::Call::late) {
            late.push(by);
            if let Some(timer) = timer {
                timers.push(timer);
                beside.push(by.saturating_sub(timer));
            }
        }
        calls += told.len();
        let mut admissions: Vec<Admission> = told.iter().filter_map(crew::Call::admission).collect();
        admissions.sort_unstable_by_key(|admission| admission.from);
        most = most.max(most_in_a_window(&admissions, worker::micros(worker::W)));
    }
    let recovery = recoveries.iter().max().map_or(0.0, |slowest| millis(*slowest));
    format!(
        "| {name} | {calls} | {} | {} | {} | {} | {recovery:.0} | {most} |",
        late.len(),
        percentiles(&mut late),
        percentiles(&mut timers),
        percentiles(&mut beside)
    )
}

fn millis(micros: u64) -> f64 {
    Duration::from_micros(micros).as_secs_f64() * 1e3
}

fn percentiles(micros: &mut [u64]) -> String {
    micros.sort_unstable();
    let at = |percent: usize| micros.get((micros.len() * percent / 100).min(micros.len().saturating_sub(1)));
    let text = [50, 99, 100]
        .map(|percent| at(percent).map_or("-".to_owned(), |&late| format!("{:.1}", millis(late))));
    text.join(" / ")
}

//! What servers do, under load from four processes: all that was admitted is recorded, and checked afterwards.

use std::process::{Command, Stdio};

use crate::{
    load::{Load, N, Worker, check, check_each, now},
    masters::{OwnerKilled, SlotMoved},
    scenes::{SCENES, Scene, Start},
    server::{Program, Server, until},
};

/// Enough that the window has been full a few times.
const MANY: usize = N as usize * 3;

/// Four processes that are refused and wait for five milliseconds each time are refused so often in five seconds, or later.
const IN_FIVE_SECONDS: usize = 4 * 1_000;

/// Each scene, with its name.
pub(crate) fn scenes() -> impl Iterator<Item = (String, Start)> {
    let cluster: [(&str, Start); 2] = [
        ("the owner in a cluster is killed", |program| Box::new(OwnerKilled::start(program))),
        ("a slot moves in a cluster", |program| Box::new(SlotMoved::start(program))),
    ];
    SCENES.into_iter().chain(cluster).map(|(name, start)| (name.replace([',', ' '], "_"), start))
}

/// Load before it, while it lasts, and after it.
pub(crate) fn play(scene: &mut dyn Scene) {
    let load = Load::on(&scene.address());
    if !scene.has_begun() {
        until("calls are admitted", || load.admitted_since(0) >= MANY);
    }
    let (when, denied) = (now(), load.denied());
    scene.begin();
    if scene.denies() {
        let enough = if scene.is_long() && !scene.ends_by_itself() { IN_FIVE_SECONDS } else { 40 };
        until("calls are refused for want of a store", || load.denied() >= denied + enough);
    } else {
        let begun = now();
        until("calls are admitted all the same", || load.admitted_since(begun) >= MANY);
    }
    scene.end();
    let back = now();
    until("calls are admitted again", || load.admitted_since(back) >= MANY);
    for mut connection in scene.connections() {
        let keys: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut connection).expect("it answers");
        for key in keys {
            let left: i64 = redis::cmd("PTTL").arg(&key).query(&mut connection).expect("it answers");
            // -2 is one that has gone since, or that another server has.
            assert_ne!(left, -1, "{key} stays for ever");
        }
    }
    if scene.forgets() { check_apart(&load, when) } else { check(&load.admissions()) }
}

/// Before and after this instant apart: what it kept of the one it has lost for the other.
fn check_apart(load: &Load, when: u64) {
    let (before, after): (Vec<_>, Vec<_>) =
        load.admissions().into_iter().partition(|admission| admission.from < when);
    assert!(before.len() >= MANY && after.len() >= MANY);
    // What was asked before may have been admitted after it, by each process once.
    check(&before[..before.len() - 4]);
    check(&after);
}

pub(crate) fn two_versions_change_their_limits_up_and_down(program: &Program) {
    let server = Server::start(program);
    let version = |limits| Worker { limits, ahead: 0 };
    let workers = ["20,5", "30,5", "20,5", "30,5"].map(version);
    let load = Load::of(&server.address(), workers);
    until("calls are admitted under each limit", || {
        let admissions = load.admissions();
        [5, 20, 30].iter().all(|limit| {
            admissions.iter().filter(|admission| admission.limit == *limit).count() >= *limit as usize * 2
        })
    });
    check_each(&load.admissions());
}

/// Whether the clocks of processes can be apart here.
pub(crate) fn faketime() -> Result<(), String> {
    let is_there =
        Command::new("faketime").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    is_there.map(drop).map_err(|_| "SKIPPED: no faketime on the path, by which clocks are apart".to_owned())
}

/// The known fault of limiters that take the client's time: F79, with clocks that are apart.
pub(crate) fn f79_clocks_that_are_apart_change_nothing(program: &Program) {
    let server = Server::start(program);
    let workers = [-5, 0, 0, 5].map(|ahead| Worker { ahead, ..Worker::PLAIN });
    let load = Load::of(&server.address(), workers);
    let of = |process: usize| load.admissions().iter().filter(|one| one.process == process).count();
    until("each of them is admitted now and then", || (0..4).all(|process| of(process) >= N as usize));
    let mut clocks = load.clocks();
    clocks.sort_unstable();
    // Each was told of a moment after it was read.
    let (behind, ahead) = (clocks[0], clocks[3]);
    assert!(clocks.len() == 4 && ahead > 2_000_000 && behind < -4_900_000, "{clocks:?}");
    check(&load.admissions());
}

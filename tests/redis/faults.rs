//! What servers do to those who rely on them, and what becomes of single calls. What becomes of many is in `under_load.rs`.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use windowlimit::{Decider, Limit, OnStoreError, Reason, RedisStore, SharedLimiter, StoreState};

use crate::{
    door::Door,
    server::{Program, Server, free_port, until},
};

fn strict(store: &RedisStore, name: &str, max: u32) -> SharedLimiter {
    let limiter = SharedLimiter::builder(store, name.to_owned()).limit(Limit::per_hour(max));
    limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit")
}

/// One that takes connections and decides nothing is told of as lost once, not again with each connection.
pub(crate) fn a_replica_that_is_asked_is_told_of_once(program: &Program) {
    let server = Server::start(program);
    let told = Arc::new(Mutex::new(Vec::new()));
    let hook = Arc::clone(&told);
    let store = server.patient().on_change(move |state| {
        hook.lock().expect("nobody panics while it is held").push(matches!(state, StoreState::Up));
        panic!("what is told may panic: this is printed by a test that wants it");
    });
    let store = store.build();
    let limiter = strict(&store, "told", 1_000_000);
    until("it decides", || limiter.check(&()).is_ok());
    server.run_command(&["REPLICAOF", "127.0.0.1", &free_port().to_string()]);
    let asked = store.asked();
    // Many connections, over each of which a question was answered so.
    until("it was asked again and again", || limiter.check(&()).is_err() && store.asked() >= asked + 6);
    server.run_command(&["REPLICAOF", "NO", "ONE"]);
    until("it decides", || limiter.check(&()).is_ok());
    // Lost, back for the first connection after that, lost again, and back.
    let told = told.lock().expect("nobody panics").clone();
    assert!(told.len() <= 5 && told.last() == Some(&true), "{told:?}");
}

pub(crate) fn a_replica_takes_over(program: &Program) {
    let mut primary = Server::start(program);
    let replica = Server::start(program);
    replica.run_command(&["REPLICAOF", "127.0.0.1", &primary.port.to_string()]);
    let door = Door::to(primary.port);
    let store = RedisStore::builder(&door.address()).expect("it is an address").remember(Duration::ZERO);
    let limiter = strict(&store.deadline(Duration::from_secs(2)).build(), "replica", 100);
    assert_eq!((0..60).filter(|_| limiter.check(&()).is_ok()).count(), 60);
    // Replication does not wait: what has not arrived when the primary dies is lost.
    let arrived = || {
        let mut connection = primary.connect();
        redis::cmd("WAIT").arg(1).arg(1000).query::<u32>(&mut connection).expect("the server answers") == 1
    };
    until("the replica has it all", arrived);
    let key = || redis::cmd("STRLEN").arg("windowlimit:replica:").query::<u32>(&mut replica.connect());
    until("the replica has the log", || key().is_ok_and(|length| length == 480));
    primary.kill();
    replica.run_command(&["REPLICAOF", "NO", "ONE"]);
    door.lead_to(replica.port);
    until("the replica decides", || limiter.usage(&()).is_ok());
    assert_eq!((0..60).filter(|_| limiter.check(&()).is_ok()).count(), 40);
}

pub(crate) fn a_wrong_password_is_told(program: &Program) {
    let server = Server::with(program, &["--requirepass", "secret"]);
    let at = |password: &str| format!("redis://:{password}@127.0.0.1:{}", server.port);
    let store = RedisStore::open(&at("guess")).expect("it is an address");
    let limiter = strict(&store, "password", 1);
    until("it is known", || {
        assert_eq!(limiter.check(&()).expect_err("nobody is let in").reason(), Reason::StoreUnavailable);
        matches!(store.state(), StoreState::Down(_))
    });
    let StoreState::Down(why) = store.state() else { unreachable!("it was down") };
    assert!(why.is_away() && why.to_string().to_lowercase().contains("password"), "{why}");
    assert!(!format!("{store:?} {why}").contains("guess"), "no password is told");
    let right =
        RedisStore::builder(&at("secret")).expect("it is an address").deadline(Duration::from_secs(20));
    assert!(strict(&right.build(), "password", 1).check(&()).is_ok());
}

pub(crate) fn a_full_server_admits_nothing_and_still_refuses(program: &Program) {
    let server = Server::with(program, &["--maxmemory-policy", "noeviction"]);
    let store = server.patient().remember(Duration::ZERO).build();
    let limiter = strict(&store, "full", 2);
    assert!(limiter.check_n("a", 2).is_ok());
    server.run_command(&["CONFIG", "SET", "maxmemory", "1"]);
    let refusal = limiter.check("b").expect_err("nothing can be written");
    assert_eq!(refusal.reason(), Reason::StoreUnavailable);
    let why = store.last_error().expect("there is a reason").to_string();
    assert!(why.contains("OOM"), "{why}");
    // It is there all the same.
    assert!(matches!(store.state(), StoreState::Up));
    server.run_command(&["CONFIG", "SET", "maxmemory", "0"]);
    assert!(limiter.check("b").is_ok() && limiter.check("a").is_err());
}

pub(crate) fn nobody_listens(_: &Program) {
    let store = RedisStore::open(&format!("redis://127.0.0.1:{}", free_port())).expect("it is an address");
    let limiter = SharedLimiter::new(&store, "nobody", Limit::per_hour(2));
    let decided: Vec<_> = (0..4).map(|_| limiter.try_acquire(&()).map(|permit| permit.decider())).collect();
    let refusals = decided.iter().filter_map(|decided| decided.as_ref().err());
    assert!(refusals.map(windowlimit::RateLimitExceeded::decider).eq([Decider::Local; 2]), "{decided:?}");
    assert_eq!((limiter.degraded(), store.degraded()), (4, 4));
    // Each of several processes has its part.
    let third = SharedLimiter::builder(&store, "third").limit(Limit::per_hour(9)).replicas(3).build();
    let third = third.expect("it has a limit");
    assert_eq!((0..9).filter(|_| third.check("a").is_ok()).count(), 3);
    let reset = third.reset("a").expect_err("it cannot be asked");
    assert!(reset.is_away(), "{reset}");
    assert!(third.usage("a").is_err_and(|error| error.is_away()));
}

pub(crate) fn a_socket_and_a_client_of_ones_own(program: &Program) {
    let folder = std::env::temp_dir().join(format!("windowlimit-{}-{}", std::process::id(), free_port()));
    let path = folder.display().to_string();
    let server = Server::with(program, &["--unixsocket", &path]);
    let by_socket = RedisStore::builder(&format!("unix://{path}")).expect("it is an address");
    let by_socket = strict(&by_socket.deadline(Duration::from_secs(20)).build(), "socket", 2);
    let client = redis::Client::open(server.address()).expect("it is an address");
    let by_client = RedisStore::of_client(client).deadline(Duration::from_secs(20)).build();
    let by_client = strict(&by_client, "socket", 2);
    assert!(by_socket.check(&()).is_ok() && by_client.check(&()).is_ok() && by_socket.check(&()).is_err());
}

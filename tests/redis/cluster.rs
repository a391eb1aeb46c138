//! A cluster of three servers.

use std::{collections::HashSet, time::Duration};

use windowlimit::{Limit, OnStoreError, Reason, RedisStore, SharedLimiter};

use crate::{
    masters::{Cluster, ask, text},
    server::{Program, Server, until},
};

fn store(cluster: &Cluster, deadline: Duration) -> RedisStore {
    let addresses = cluster.addresses();
    let store = RedisStore::cluster(addresses.split(' ')).expect("they are addresses");
    store.deadline(deadline).remember(Duration::ZERO).build()
}

/// Who has this key.
fn holder(cluster: &Cluster, key: &str) -> usize {
    let has_key = |server: &Server| {
        let keys = redis::cmd("KEYS").arg("*").query::<Vec<String>>(&mut server.connect());
        keys.expect("the server answers").iter().any(|found| found == key)
    };
    cluster.servers.iter().position(has_key).expect("one of them has it")
}

fn strict(store: &RedisStore, name: &str) -> SharedLimiter {
    SharedLimiter::builder(store, name.to_owned())
        .limits([Limit::per_hour(10), Limit::per_minute(10)])
        .on_store_error(OnStoreError::Deny)
        .build()
        .expect("it has limits")
}

pub(crate) fn f81_windows_spread_over_three_servers(program: &Program) {
    let cluster = Cluster::start(program);
    let store = store(&cluster, Duration::from_secs(20));
    let limiter = strict(&store, "f81");
    for key in 0..30_u32 {
        let admitted = (0..15).filter(|_| limiter.check(&(key, "{braces}")).is_ok()).count();
        assert_eq!(admitted, 10, "{key}: {:?}", store.last_error());
    }
    assert_eq!(limiter.degraded(), 0, "{:?}", store.last_error());
    let permit = limiter.try_acquire("given back").expect("there is room");
    assert_eq!(permit.remaining(), 9);
    permit.refund();
    until("it is given back", || limiter.usage("given back").is_ok_and(|usage| usage.live() == 0));
    let owners: HashSet<_> =
        (0..9_u32).map(|key| holder(&cluster, &format!("windowlimit:f81:1:{key}8:{{braces}}"))).collect();
    // In braces, a client can put its keys together, and gains nothing by it.
    assert_eq!(owners.len(), 1);
    for key in 0..30_u32 {
        assert!(limiter.check(&key).is_ok());
    }
    let owners: HashSet<_> = (0..30_u32)
        .map(|key| holder(&cluster, &format!("windowlimit:f81:{}:{key}", key.to_string().len())))
        .collect();
    assert_eq!(owners.len(), 3);
}

pub(crate) fn a_slot_moves_and_its_window_with_it(program: &Program) {
    let cluster = Cluster::start(program);
    let store = store(&cluster, Duration::from_secs(20));
    let limiter = strict(&store, "moves");
    assert_eq!((0..6).filter(|_| limiter.check(&()).is_ok()).count(), 6);
    let key = "windowlimit:moves:";
    let from = holder(&cluster, key);
    let (source, target) = (&cluster.servers[from], &cluster.servers[(from + 1) % 3]);
    let (slot, ids) = (cluster.slot(key).to_string(), [source, target].map(|server| text(server, &["MYID"])));
    ask(target, &["SETSLOT", &slot, "IMPORTING", &ids[0]]).expect("it can be moved");
    ask(source, &["SETSLOT", &slot, "MIGRATING", &ids[1]]).expect("it can be moved");
    // Half-way: the key is still here, or already there.
    assert!(limiter.check(&()).is_ok());
    source.run_command(&["MIGRATE", "127.0.0.1", &target.port.to_string(), key, "0", "5000"]);
    assert!(limiter.check(&()).is_ok(), "{:?}", store.last_error());
    for server in [target, source] {
        ask(server, &["SETSLOT", &slot, "NODE", &ids[1]]).expect("it has been moved");
    }
    assert_eq!((0..6).filter(|_| limiter.check(&()).is_ok()).count(), 2, "{:?}", store.last_error());
    assert_eq!(limiter.degraded(), 0, "{:?}", store.last_error());
    assert_eq!(holder(&cluster, key), (from + 1) % 3);
}

pub(crate) fn an_owner_is_killed_and_comes_back(program: &Program) {
    let mut cluster = Cluster::start(program);
    let store = store(&cluster, Duration::from_secs(2));
    let limiter = strict(&store, "killed");
    for key in 0..30_u32 {
        assert!(limiter.check(&key).is_ok(), "{:?}", store.last_error());
    }
    let key = |key: u32| format!("windowlimit:killed:{}:{key}", key.to_string().len());
    let dead = holder(&cluster, &key(0));
    let of = |owner| (0..30).filter(|&number| holder(&cluster, &key(number)) == owner).collect::<Vec<u32>>();
    let (lost, kept) = (of(dead)[0], of((dead + 1) % 3)[0]);
    cluster.servers[dead].kill();
    let refusal = limiter.check(&lost).expect_err("nobody has it");
    assert_eq!(refusal.reason(), Reason::StoreUnavailable);
    until("the others decide", || limiter.check(&kept).is_ok());
    // As a server comes back that is run by something: it knows who it was.
    cluster.servers[dead].run();
    until("it decides again", || limiter.check(&lost).is_ok());
}

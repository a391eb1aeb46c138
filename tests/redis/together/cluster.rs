//! Several windows that decide as one, in a cluster of three servers.

use std::{collections::HashSet, time::Duration};

use windowlimit::{Algorithm, Limit, Reason, RedisStore, SharedLimiter, Together};

use super::{live, logins, query, strict, two};
use crate::{
    masters::Cluster,
    server::{Program, Server, until},
};

fn on_all(cluster: &Cluster) -> RedisStore {
    let addresses: Vec<_> = cluster.servers.iter().map(Server::address).collect();
    let store = RedisStore::cluster(addresses.iter().map(String::as_str)).expect("they are addresses");
    store.deadline(Duration::from_secs(20)).remember(Duration::ZERO).build()
}

pub(crate) fn a_group_lives_on_one_server_of_a_cluster(program: &Program) {
    let cluster = Cluster::start(program);
    let store = on_all(&cluster);
    let logins = two([strict(&store, "user", 4), strict(&store, "address", 100).algorithm(Algorithm::Fixed)]);
    for user in 0..20_u32 {
        let admitted = (0..6).filter(|_| logins.check((user, "{home}")).is_ok()).count();
        assert_eq!(admitted, 4, "{user}: {:?}", store.last_error());
    }
    let permit = logins.try_acquire((20, "{home}")).expect("there is room");
    permit.refund();
    until("it is given back", || live(logins.limiters()[1], "{home}") == 80);
    let user = |user: u32| format!("windowlimit:{{log-in}}::user:{}:{user}", user.to_string().len());
    let mut owners: HashSet<_> = (0..20).map(|key| cluster.owner(&user(key))).collect();
    owners.insert(cluster.owner("windowlimit-fixed:{log-in}::address:6:{home}"));
    assert_eq!((owners.len(), store.degraded()), (1, 0), "{:?}", store.last_error());
    // Others, whose windows would be anywhere, are told when they are put together.
    let apart = ["user", "address"].map(|name| SharedLimiter::new(&store, name, Limit::per_hour(1)));
    let error = Together::new(apart).expect_err("they are of no group");
    assert!(error.is_slot(), "{error}");
}

/// The windows of a slot that moves are on two servers for a while.
pub(crate) fn a_slot_moves_and_all_windows_of_a_group_with_it(program: &Program) {
    let cluster = Cluster::start(program);
    let store = on_all(&cluster);
    let logins = logins(&store, 9, 9);
    assert!(logins.check_n(("ann", "home"), 3).is_ok());
    let keys = ["windowlimit:{log-in}::user:3:ann", "windowlimit:{log-in}::address:4:home"];
    let from = cluster.owner(keys[0]);
    let (source, target) = (&cluster.servers[from], &cluster.servers[(from + 1) % 3]);
    let slot = query::<u32>(source, &["CLUSTER", "KEYSLOT", keys[0]]).to_string();
    let ids = [source, target].map(|server| query::<String>(server, &["CLUSTER", "MYID"]));
    target.run_command(&["CLUSTER", "SETSLOT", &slot, "IMPORTING", &ids[0]]);
    source.run_command(&["CLUSTER", "SETSLOT", &slot, "MIGRATING", &ids[1]]);
    // Both are still there.
    assert!(logins.check(("ann", "home")).is_ok(), "{:?}", store.last_error());
    // One is there and one is new: no server has both, and none is charged.
    let refusal = logins.check(("ann", "work")).expect_err("it cannot be decided");
    assert_eq!(refusal.reason(), Reason::StoreUnavailable);
    let port = target.port.to_string();
    for key in keys {
        source.run_command(&["MIGRATE", "127.0.0.1", &port, key, "0", "5000"]);
    }
    // Both have moved.
    assert!(logins.check(("ann", "home")).is_ok(), "{:?}", store.last_error());
    for server in [target, source] {
        server.run_command(&["CLUSTER", "SETSLOT", &slot, "NODE", &ids[1]]);
    }
    assert!(logins.check(("ann", "work")).is_ok(), "{:?}", store.last_error());
    assert_eq!(logins.limiters().map(SharedLimiter::degraded), [1, 1]);
    assert_eq!((live(logins.limiters()[0], "ann"), live(logins.limiters()[1], "home")), (6, 5));
    assert_eq!(keys.map(|key| query::<u32>(target, &["EXISTS", key])), [1, 1]);
}

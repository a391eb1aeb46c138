//! A cluster of three servers.

use std::{collections::HashSet, time::Duration};

use windowlimit::{Limit, OnStoreError, Reason, RedisStore, SharedLimiter};

use crate::server::{Program, Server, until};

pub(crate) struct Cluster {
    pub(crate) servers: Vec<Server>,
}

fn ask(server: &Server, words: &[&str]) -> redis::RedisResult<redis::Value> {
    let mut command = redis::cmd("CLUSTER");
    for word in words {
        command.arg(*word);
    }
    command.query(&mut server.connect())
}

fn text(server: &Server, words: &[&str]) -> String {
    redis::from_redis_value(ask(server, words).expect("the server answers")).expect("it is a text")
}

impl Cluster {
    pub(crate) fn start(program: &Program) -> Self {
        let options = [
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "2000",
            "--cluster-require-full-coverage",
            "no",
        ];
        let servers: Vec<_> = (0..3).map(|_| Server::with(program, &options)).collect();
        for (server, (from, to)) in servers.iter().zip([(0, 5460), (5461, 10_922), (10_923, 16_383)]) {
            ask(server, &["ADDSLOTSRANGE", &from.to_string(), &to.to_string()]).expect("the slots are free");
            ask(server, &["MEET", "127.0.0.1", &servers[0].port.to_string()]).expect("it is there");
        }
        let cluster = Self { servers };
        cluster.settle();
        cluster
    }

    /// Until all agree on who has which slots.
    fn settle(&self) {
        until("the cluster is of one mind", || {
            self.servers.iter().all(|server| {
                let is_up = text(server, &["INFO"]).contains("cluster_state:ok");
                is_up
                    && text(server, &["NODES"]).lines().filter(|line| line.contains("connected ")).count()
                        == 3
                    && text(server, &["NODES"]).lines().all(|line| line.split(' ').count() > 8)
            })
        });
    }

    fn store(&self, deadline: Duration) -> RedisStore {
        let addresses: Vec<_> = self.servers.iter().map(Server::address).collect();
        let store = RedisStore::cluster(addresses.iter().map(String::as_str)).expect("they are addresses");
        store.deadline(deadline).remember(Duration::ZERO).build()
    }

    pub(crate) fn owner(&self, key: &str) -> usize {
        let has_key = |server: &Server| {
            let keys = redis::cmd("KEYS").arg("*").query::<Vec<String>>(&mut server.connect());
            keys.expect("the server answers").iter().any(|found| found == key)
        };
        self.servers.iter().position(has_key).expect("one of them has it")
    }
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
    let store = cluster.store(Duration::from_secs(20));
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
        (0..9_u32).map(|key| cluster.owner(&format!("windowlimit:f81:1:{key}8:{{braces}}"))).collect();
    // In braces, a client can put its keys together, and gains nothing by it.
    assert_eq!(owners.len(), 1);
    for key in 0..30_u32 {
        assert!(limiter.check(&key).is_ok());
    }
    let owners: HashSet<_> = (0..30_u32)
        .map(|key| cluster.owner(&format!("windowlimit:f81:{}:{key}", key.to_string().len())))
        .collect();
    assert_eq!(owners.len(), 3);
}

pub(crate) fn a_slot_moves_and_its_window_with_it(program: &Program) {
    let cluster = Cluster::start(program);
    let store = cluster.store(Duration::from_secs(20));
    let limiter = strict(&store, "moves");
    assert_eq!((0..6).filter(|_| limiter.check(&()).is_ok()).count(), 6);
    let key = "windowlimit:moves:";
    let from = cluster.owner(key);
    let (source, target) = (&cluster.servers[from], &cluster.servers[(from + 1) % 3]);
    let slot: u32 =
        redis::from_redis_value(ask(source, &["KEYSLOT", key]).expect("it answers")).expect("a number");
    let (slot, ids) = (slot.to_string(), [source, target].map(|server| text(server, &["MYID"])));
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
    assert_eq!(cluster.owner(key), (from + 1) % 3);
}

pub(crate) fn an_owner_is_killed_and_comes_back(program: &Program) {
    let mut cluster = Cluster::start(program);
    let store = cluster.store(Duration::from_secs(2));
    let limiter = strict(&store, "killed");
    for key in 0..30_u32 {
        assert!(limiter.check(&key).is_ok(), "{:?}", store.last_error());
    }
    let key = |key: u32| format!("windowlimit:killed:{}:{key}", key.to_string().len());
    let dead = cluster.owner(&key(0));
    let of = |owner| (0..30).filter(|&number| cluster.owner(&key(number)) == owner).collect::<Vec<u32>>();
    let (lost, kept) = (of(dead)[0], of((dead + 1) % 3)[0]);
    cluster.servers[dead].kill();
    let refusal = limiter.check(&lost).expect_err("nobody has it");
    assert_eq!(refusal.reason(), Reason::StoreUnavailable);
    until("the others decide", || limiter.check(&kept).is_ok());
    // As a server comes back that is run by something: it knows who it was.
    cluster.servers[dead].run();
    until("it decides again", || limiter.check(&lost).is_ok());
}

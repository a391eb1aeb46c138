//! A cluster of three masters, one of which may have a replica.

use redis::Connection;

use crate::{
    scenes::{KEY, Scene},
    server::{Program, Server, until},
};

pub(crate) struct Cluster {
    /// The masters, and behind them the replica.
    pub(crate) servers: Vec<Server>,
}

pub(crate) fn ask(server: &Server, words: &[&str]) -> redis::RedisResult<redis::Value> {
    let mut command = redis::cmd("CLUSTER");
    for word in words {
        command.arg(*word);
    }
    command.query(&mut server.connect())
}

pub(crate) fn text(server: &Server, words: &[&str]) -> String {
    redis::from_redis_value(ask(server, words).expect("the server answers")).expect("it is a text")
}

const OPTIONS: [&str; 6] =
    ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no"];

const SLOTS: [(u16, u16); 3] = [(0, 5460), (5461, 10_922), (10_923, 16_383)];

impl Cluster {
    pub(crate) fn start(program: &Program) -> Self {
        let servers: Vec<_> = (0..3).map(|_| Server::with(program, &OPTIONS)).collect();
        for (server, (from, to)) in servers.iter().zip(SLOTS) {
            let mut add = redis::cmd("CLUSTER");
            add.arg("ADDSLOTS").arg((from..=to).collect::<Vec<_>>());
            add.exec(&mut server.connect()).expect("the slots are free");
            ask(server, &["MEET", "127.0.0.1", &servers[0].port.to_string()]).expect("it is there");
        }
        let cluster = Self { servers };
        cluster.settle();
        cluster
    }

    /// Until all agree on who has which slots.
    pub(crate) fn settle(&self) {
        let count = self.servers.len();
        until("the cluster is of one mind", || {
            self.servers.iter().all(|server| {
                let is_up = text(server, &["INFO"]).contains("cluster_state:ok");
                let nodes = text(server, &["NODES"]);
                let connected = nodes.lines().filter(|line| line.contains(" connected")).count();
                let of_masters = nodes.lines().filter(|line| line.split(' ').count() > 8).count();
                is_up && connected == count && of_masters == 3
            })
        });
    }

    /// Gives this master a replica, and waits until it follows.
    pub(crate) fn add_replica(&mut self, program: &Program, master: usize) {
        let replica = Server::with(program, &OPTIONS);
        ask(&replica, &["MEET", "127.0.0.1", &self.servers[0].port.to_string()]).expect("it is there");
        let id = text(&self.servers[master], &["MYID"]);
        until("the replica knows its master", || ask(&replica, &["REPLICATE", &id]).is_ok());
        until("the replica follows", || {
            let state: String =
                redis::cmd("INFO").arg("replication").query(&mut replica.connect()).expect("it answers");
            state.contains("master_link_status:up")
        });
        let is_known = |server: &Server| text(server, &["NODES"]).contains(&format!("slave {id}"));
        self.servers.push(replica);
        until("all know of the replica", || self.servers.iter().all(is_known));
    }

    pub(crate) fn addresses(&self) -> String {
        self.servers.iter().map(Server::address).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn slot(&self, key: &str) -> u16 {
        let slot = ask(&self.servers[0], &["KEYSLOT", key]).expect("it answers");
        redis::from_redis_value(slot).expect("a number")
    }

    /// Which of the masters has this slot as it was in the beginning.
    pub(crate) fn owner(&self, key: &str) -> usize {
        let slot = self.slot(key);
        SLOTS.iter().position(|(from, to)| (from..=to).contains(&&slot)).expect("one of them has it")
    }
}

/// The owner of the window is killed, and its replica takes over by itself, in its time. What had not arrived there is
/// forgotten.
pub(crate) struct OwnerKilled {
    cluster: Cluster,
    owner: usize,
}

impl OwnerKilled {
    pub(crate) fn start(program: &Program) -> Self {
        let mut cluster = Cluster::start(program);
        let owner = cluster.owner(KEY);
        cluster.add_replica(program, owner);
        Self { cluster, owner }
    }
}

impl Scene for OwnerKilled {
    fn address(&self) -> String {
        self.cluster.addresses()
    }

    fn begin(&mut self) {
        self.cluster.servers[self.owner].kill();
    }

    fn end(&mut self) {
        let replica = &self.cluster.servers[3];
        until("the replica has taken over", || {
            let nodes = text(replica, &["NODES"]);
            nodes.lines().any(|line| line.contains("myself,master") && line.split(' ').count() > 8)
        });
    }

    fn forgets(&self) -> bool {
        true
    }

    fn connections(&self) -> Vec<Connection> {
        let alive = self.cluster.servers.iter().enumerate().filter(|(server, _)| *server != self.owner);
        alive.map(|(_, server)| server.connect()).collect()
    }
}

/// The slot of the window moves to another master, and the window with it.
pub(crate) struct SlotMoved {
    cluster: Cluster,
    owner: usize,
}

impl SlotMoved {
    pub(crate) fn start(program: &Program) -> Self {
        let cluster = Cluster::start(program);
        Self { owner: cluster.owner(KEY), cluster }
    }
}

impl Scene for SlotMoved {
    fn address(&self) -> String {
        self.cluster.addresses()
    }

    fn begin(&mut self) {
        let (source, target) =
            (&self.cluster.servers[self.owner], &self.cluster.servers[(self.owner + 1) % 3]);
        let slot = self.cluster.slot(KEY).to_string();
        let ids = [source, target].map(|server| text(server, &["MYID"]));
        ask(target, &["SETSLOT", &slot, "IMPORTING", &ids[0]]).expect("it can be moved");
        ask(source, &["SETSLOT", &slot, "MIGRATING", &ids[1]]).expect("it can be moved");
        // One that has expired is not there to be moved.
        source.run_command(&["MIGRATE", "127.0.0.1", &target.port.to_string(), KEY, "0", "5000"]);
        for server in [target, source] {
            ask(server, &["SETSLOT", &slot, "NODE", &ids[1]]).expect("it has been moved");
        }
    }

    fn denies(&self) -> bool {
        false
    }

    fn connections(&self) -> Vec<Connection> {
        self.cluster.servers.iter().map(Server::connect).collect()
    }
}

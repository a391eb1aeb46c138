//! What can happen to a server while others rely on it: each scene with its servers, how it begins, and how it ends.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use redis::Connection;

use crate::{
    door::Door,
    server::{Program, Server, free_port, until},
};

/// The key of the window that is under load.
pub(crate) const KEY: &str = "windowlimit:load:";

pub(crate) trait Scene {
    /// Where the server is found, or those of a cluster, with spaces between them.
    fn address(&self) -> String;

    /// Whether it has begun before anybody comes.
    fn has_begun(&self) -> bool {
        false
    }

    fn begin(&mut self);

    /// Returns when the server can be asked again.
    fn end(&mut self) {}

    /// Whether calls are refused in between for want of a store.
    fn denies(&self) -> bool {
        true
    }

    /// Whether it lasts five seconds.
    fn is_long(&self) -> bool {
        false
    }

    /// Whether it is over by itself, and the end only waits for that.
    fn ends_by_itself(&self) -> bool {
        false
    }

    /// Whether what was admitted before is forgotten.
    fn forgets(&self) -> bool {
        false
    }

    /// Whose keys are there when it is over.
    fn connections(&self) -> Vec<Connection>;
}

pub(crate) type Start = fn(&Program) -> Box<dyn Scene>;

/// All of them with one server, or with one behind the other.
pub(crate) const SCENES: [(&str, Start); 12] = [
    ("killed and restarted", |program| One::boxed(program, Kind::Killed)),
    ("stopped for five seconds", |program| One::boxed(program, Kind::Stopped)),
    ("paused for five seconds", |program| One::boxed(program, Kind::Paused)),
    ("takes connections, never answers", |program| Box::new(Mute::start(program, false))),
    ("has never answered", |program| Box::new(Mute::start(program, true))),
    ("scripts flushed all the time", |program| Box::new(Scripts::start(program))),
    ("everything flushed", |program| One::boxed(program, Kind::Flushed)),
    ("made a replica", |program| One::boxed(program, Kind::Demoted)),
    ("a replica takes over", |program| Box::new(TakenOver::start(program))),
    ("another password", |program| One::boxed(program, Kind::Locked)),
    ("another kind of key", |program| One::boxed(program, Kind::Foreign)),
    ("no memory left", |program| One::boxed(program, Kind::Full)),
];

fn run(connection: &mut Connection, words: &[&str]) {
    let mut command = redis::cmd(words[0]);
    for word in &words[1..] {
        command.arg(*word);
    }
    command.exec(connection).unwrap_or_else(|error| panic!("{words:?}: {error}"));
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Killed,
    Stopped,
    Paused,
    Flushed,
    Demoted,
    Locked,
    Foreign,
    Full,
}

/// What happens to one server alone.
struct One {
    kind: Kind,
    server: Server,
    /// Made while nothing was wrong.
    beside: Connection,
}

const PASSWORD: &str = "secret";

impl One {
    fn boxed(program: &Program, kind: Kind) -> Box<dyn Scene> {
        let server = Server::start(program);
        let beside = server.connect();
        let mut one = Self { kind, server, beside };
        if kind == Kind::Locked {
            run(&mut one.beside, &["CONFIG", "SET", "requirepass", PASSWORD]);
        }
        Box::new(one)
    }
}

impl Scene for One {
    fn address(&self) -> String {
        match self.kind {
            Kind::Locked => format!("redis://:{PASSWORD}@127.0.0.1:{}", self.server.port),
            _ => self.server.address(),
        }
    }

    fn begin(&mut self) {
        let beside = &mut self.beside;
        match self.kind {
            Kind::Killed => self.server.kill(),
            Kind::Stopped => self.server.signal("-STOP"),
            Kind::Paused => run(beside, &["CLIENT", "PAUSE", "5000", "ALL"]),
            Kind::Flushed => run(beside, &["FLUSHALL"]),
            Kind::Demoted => run(beside, &["REPLICAOF", "127.0.0.1", &free_port().to_string()]),
            Kind::Locked => {
                run(beside, &["CONFIG", "SET", "requirepass", "another"]);
                // Who is inside stays inside.
                run(beside, &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
            }
            Kind::Foreign => {
                let mut both = redis::pipe();
                both.atomic().del(KEY).ignore().rpush(KEY, "of another program").ignore();
                both.exec(beside).expect("the server answers");
            }
            Kind::Full => run(beside, &["CONFIG", "SET", "maxmemory", "1"]),
        }
    }

    fn end(&mut self) {
        match self.kind {
            Kind::Killed => {
                self.server.run();
                self.beside = self.server.connect();
            }
            Kind::Stopped => self.server.signal("-CONT"),
            // Answered when it is over.
            Kind::Paused => run(&mut self.beside, &["PING"]),
            Kind::Flushed => {}
            Kind::Demoted => run(&mut self.beside, &["REPLICAOF", "NO", "ONE"]),
            Kind::Locked => run(&mut self.beside, &["CONFIG", "SET", "requirepass", PASSWORD]),
            Kind::Foreign => run(&mut self.beside, &["DEL", KEY]),
            Kind::Full => run(&mut self.beside, &["CONFIG", "SET", "maxmemory", "0"]),
        }
    }

    fn denies(&self) -> bool {
        self.kind != Kind::Flushed
    }

    fn is_long(&self) -> bool {
        matches!(self.kind, Kind::Stopped | Kind::Paused)
    }

    fn ends_by_itself(&self) -> bool {
        self.kind == Kind::Paused
    }

    fn forgets(&self) -> bool {
        matches!(self.kind, Kind::Killed | Kind::Flushed | Kind::Foreign)
    }

    fn connections(&self) -> Vec<Connection> {
        let client = redis::Client::open(self.address()).expect("it is an address");
        vec![client.get_connection().expect("the server is up")]
    }
}

/// A server in whose place there is one that takes connections and says nothing.
struct Mute {
    server: Server,
    door: Door,
    /// Nobody takes connections out of its queue, in which they are made.
    listener: TcpListener,
    has_begun: bool,
}

impl Mute {
    fn start(program: &Program, has_begun: bool) -> Self {
        let server = Server::start(program);
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let scene = Self { door: Door::to(server.port), server, listener, has_begun };
        if has_begun {
            scene.be_mute();
        }
        scene
    }

    fn be_mute(&self) {
        self.door.lead_to(self.listener.local_addr().expect("it has an address").port());
    }
}

impl Scene for Mute {
    fn address(&self) -> String {
        self.door.address()
    }

    fn begin(&mut self) {
        if !self.has_begun {
            self.be_mute();
        }
    }

    fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn end(&mut self) {
        self.door.lead_to(self.server.port);
    }

    fn connections(&self) -> Vec<Connection> {
        vec![self.server.connect()]
    }
}

/// A server that forgets its scripts all the time.
struct Scripts {
    server: Server,
    is_over: Arc<AtomicBool>,
    flusher: Option<JoinHandle<()>>,
}

impl Scripts {
    fn start(program: &Program) -> Self {
        Self { server: Server::start(program), is_over: Arc::default(), flusher: None }
    }

    fn calls(&self, command: &str) -> u64 {
        let mut connection = self.server.connect();
        let stats: String =
            redis::cmd("INFO").arg("commandstats").query(&mut connection).expect("it answers");
        let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command}:calls=")));
        line.map_or(0, |line| line.split(',').next().expect("a number").parse().expect("a number"))
    }
}

impl Scene for Scripts {
    fn address(&self) -> String {
        self.server.address()
    }

    fn begin(&mut self) {
        let (is_over, mut connection) = (Arc::clone(&self.is_over), self.server.connect());
        self.flusher = Some(thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                run(&mut connection, &["SCRIPT", "FLUSH"]);
            }
        }));
        until("scripts are sent in full", || self.calls("eval") >= 40);
    }

    fn end(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(flusher) = self.flusher.take() {
            flusher.join().expect("the server answers");
        }
    }

    fn denies(&self) -> bool {
        false
    }

    fn connections(&self) -> Vec<Connection> {
        vec![self.server.connect()]
    }
}

/// A primary that is killed, and its replica that takes over. What had not arrived there is forgotten.
struct TakenOver {
    primary: Server,
    replica: Server,
    door: Door,
}

impl TakenOver {
    fn start(program: &Program) -> Self {
        let (primary, replica) = (Server::start(program), Server::start(program));
        replica.run_command(&["REPLICAOF", "127.0.0.1", &primary.port.to_string()]);
        let is_linked = || {
            let state: String =
                redis::cmd("INFO").arg("replication").query(&mut replica.connect()).expect("it answers");
            state.contains("master_link_status:up")
        };
        until("the replica follows", is_linked);
        Self { door: Door::to(primary.port), primary, replica }
    }
}

impl Scene for TakenOver {
    fn address(&self) -> String {
        self.door.address()
    }

    fn begin(&mut self) {
        self.primary.kill();
    }

    fn end(&mut self) {
        self.replica.run_command(&["REPLICAOF", "NO", "ONE"]);
        self.door.lead_to(self.replica.port);
    }

    fn forgets(&self) -> bool {
        true
    }

    fn connections(&self) -> Vec<Connection> {
        vec![self.replica.connect()]
    }
}

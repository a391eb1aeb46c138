//! Shared windows beside a sorted set, a list and GCRA, on a server that this starts: `cargo bench -p windowlimit-tests
//! --features redis --bench redis`. `windowlimit/benches/README.md` says what came of it.
//!
//! The server's own time, by what it says of its processor: the mean of a batch, of many batches the lowest tenth, less that
//! of a script that does nothing.
//! All scripts are given their instants, so that a window can be full, and one record leaves it before each admission.
#![allow(clippy::cast_precision_loss)] // of counts far below 2^52

use std::{
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use redis::{Connection, Pipeline};
use windowlimit::{Limit, RedisStore, SharedLimiter};

/// Between two admissions, in microseconds.
const STEP: u64 = 1_000;
const BATCH: u64 = 1_000;
const BATCHES: u64 = 60;

/// KEYS: the window. ARGV: N, the window's length and the instant in microseconds, a number of the call's own, the
/// time to live in milliseconds.
const SORTED_SET: &str = r"
local n, window, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
if redis.call('ZCARD', KEYS[1]) < n then
  redis.call('ZADD', KEYS[1], now, ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return 0
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return oldest[2] + window - now";

const LIST: &str = r"
local n, window, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call('LINDEX', KEYS[1], -n)
if oldest and oldest + window > now then
  return oldest + window - now
end
redis.call('RPUSH', KEYS[1], ARGV[3])
redis.call('LTRIM', KEYS[1], -n, -1)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 0";

/// One word; a bucket that refills, which is no sliding window.
const GCRA: &str = r"
local n, window, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local each = window / n
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + each
if arrival - window > now then
  return arrival - window - now
end
redis.call('SET', KEYS[1], arrival, 'PX', ARGV[5])
return 0";

const EMPTY: Subject = Subject { name: "nothing", script: "return 0" };
const LOG: &str = include_str!("../../windowlimit/src/store/lua/exact.lua");

struct Subject {
    name: &'static str,
    script: &'static str,
}

const SUBJECTS: [Subject; 4] = [
    Subject { name: "this log", script: LOG },
    Subject { name: "sorted set", script: SORTED_SET },
    Subject { name: "list", script: LIST },
    Subject { name: "GCRA", script: GCRA },
];

fn main() {
    let (mut server, port) = start();
    let address = format!("redis://127.0.0.1:{port}");
    let mut connection = connect(&address);
    let text: String = redis::cmd("INFO").arg("server").query(&mut connection).expect("the server answers");
    let version = field(&text, "redis_version");
    println!("server {version}; microseconds of its time for each call, less the empty script's\n");
    let empty = low((0..BATCHES).map(|_| mean(&mut connection, &EMPTY, 1, &mut || 1)).collect());
    println!("an empty script takes {empty:.2}\n");
    println!("| N | window | admit | refuse | bytes for each live admission, at most | longest call |");
    println!("|---|---|---|---|---|---|");
    for n in [10, 1_000, 100_000] {
        measure(&mut connection, n, empty);
    }
    println!();
    idle(&mut connection);
    end_to_end(&address);
    let _ = server.kill();
    let _ = server.wait();
}

/// A window that is measured.
struct Window {
    subject: &'static Subject,
    /// The instant of the last admission.
    now: u64,
    admitted: Vec<f64>,
    refused: Vec<f64>,
    /// At most.
    bytes: u64,
}

impl Window {
    /// One that is full.
    fn start(connection: &mut Connection, subject: &'static Subject, n: u64) -> Self {
        let (admitted, refused) = (Vec::new(), Vec::new());
        let mut window = Self { subject, now: 1_000_000_000, admitted, refused, bytes: 0 };
        let now = &mut window.now;
        let fits = call_all(connection, subject, n, n, &mut || step(now));
        assert_eq!(fits, n, "{} admits what fits", subject.name);
        window
    }

    fn batch(&mut self, connection: &mut Connection, n: u64) {
        let Self { subject, now, .. } = self;
        let full = *now;
        step(now);
        self.refused.push(mean(connection, subject, n, &mut || full));
        // One more has left meanwhile, for which nobody came.
        call_all(connection, subject, n, 1, &mut || full + STEP);
        self.admitted.push(mean(connection, subject, n, &mut || step(now)));
        let mut usage = redis::cmd("MEMORY");
        let used = usage.arg("USAGE").arg(&subject.name[..4]).arg("SAMPLES").arg(0).query(connection);
        self.bytes = self.bytes.max(used.expect("it is there"));
    }
}

fn step(now: &mut u64) -> u64 {
    *now += STEP;
    *now
}

/// All windows in turn, batch by batch: what disturbs one disturbs the others.
fn measure(connection: &mut Connection, n: u64, empty: f64) {
    redis::cmd("FLUSHALL").exec(connection).expect("the server answers");
    let mut windows: Vec<_> = SUBJECTS.iter().map(|subject| Window::start(connection, subject, n)).collect();
    // The log is cut every now and then: so many admissions that it is.
    for _ in 0..BATCHES.max(2 * n / BATCH) {
        for window in &mut windows {
            window.batch(connection, n);
        }
    }
    for Window { subject, mut now, admitted, refused, bytes } in windows {
        // The interrupts of others count for the server as well: the pass in which the fewest came.
        let mut pass = || longest(connection, subject, n, n.max(2_000) * 2, &mut || step(&mut now));
        let longest = (0..3).map(|_| pass()).fold(f64::MAX, f64::min);
        println!(
            "| {n} | {} | {:.2} | {:.2} | {:.1} | {longest:.0} us |",
            subject.name,
            low(admitted) - empty,
            low(refused) - empty,
            bytes as f64 / n as f64,
        );
    }
}

/// The lowest tenth: what a batch costs while nobody else has the core.
fn low(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 10]
}

/// By how much the longest of so many calls took longer than the shortest, in microseconds of the server's processor: which
/// it is asked for behind each, for by the clock the longest is one in which the server had no core.
fn longest(
    connection: &mut Connection,
    subject: &Subject,
    n: u64,
    calls: u64,
    at: &mut dyn FnMut() -> u64,
) -> f64 {
    let digest = load(connection, subject);
    let mut instants = vec![processor(connection)];
    for group in 0..calls.div_ceil(250) {
        let mut pipeline = redis::pipe();
        for made in 250 * group..calls.min(250 * (group + 1)) {
            call(&mut pipeline, subject, &digest, n, made, at()).ignore();
            pipeline.cmd("INFO").arg("cpu");
        }
        let texts: Vec<String> = pipeline.query(connection).expect("the server answers");
        instants.extend(texts.iter().map(|text| processor_in(text)));
    }
    let times = instants.windows(2).map(|pair| (pair[1] - pair[0]) * 1e6);
    let (shortest, longest) = times.fold((f64::MAX, 0.0), |(shortest, longest), time| {
        (f64::min(shortest, time), f64::max(longest, time))
    });
    if calls == 1 { longest } else { longest - shortest }
}

/// After a silence in which everything has left, one call may have it all to clear away.
fn idle(connection: &mut Connection) {
    let n = 100_000;
    for subject in &SUBJECTS {
        redis::cmd("FLUSHALL").exec(connection).expect("the server answers");
        let mut now = 1_000_000_000;
        call_all(connection, subject, n, n, &mut || step(&mut now));
        let first = longest(connection, subject, n, 1, &mut || now + 10 * n * STEP);
        println!("first call after a silence, N = {n}, {}: {first:.0} us", subject.name);
    }
}

/// Microseconds of the server's processor for each call of a batch.
fn mean(connection: &mut Connection, subject: &Subject, n: u64, at: &mut dyn FnMut() -> u64) -> f64 {
    let before = processor(connection);
    call_all(connection, subject, n, BATCH, at);
    (processor(connection) - before) * 1e6 / BATCH as f64
}

/// Seconds of its processor that the server has taken so far.
fn processor(connection: &mut Connection) -> f64 {
    let text: String = redis::cmd("INFO").arg("cpu").query(connection).expect("the server answers");
    processor_in(&text)
}

fn processor_in(text: &str) -> f64 {
    let seconds = |name| field(text, name).parse::<f64>().expect("it is a number");
    seconds("used_cpu_user_main_thread") + seconds("used_cpu_sys_main_thread")
}

fn load(connection: &mut Connection, subject: &Subject) -> String {
    redis::cmd("SCRIPT").arg("LOAD").arg(subject.script).query(connection).expect("the server answers")
}

/// Makes so many calls; returns how many were admitted.
fn call_all(
    connection: &mut Connection,
    subject: &Subject,
    n: u64,
    calls: u64,
    at: &mut dyn FnMut() -> u64,
) -> u64 {
    let digest = load(connection, subject);
    let (mut admitted, mut made) = (0, 0);
    while made < calls {
        let mut pipeline = redis::pipe();
        for _ in 0..(calls - made).min(500) {
            made += 1;
            call(&mut pipeline, subject, &digest, n, made, at());
        }
        let answers: Vec<i64> = pipeline.query(connection).expect("the server answers");
        admitted += answers.iter().filter(|wait| **wait == 0).count() as u64;
    }
    admitted
}

fn call<'p>(
    pipeline: &'p mut Pipeline,
    subject: &Subject,
    digest: &str,
    n: u64,
    number: u64,
    at: u64,
) -> &'p mut Pipeline {
    // As long for all: it is a part of what a window takes.
    let command = pipeline.cmd("EVALSHA").arg(digest).arg(1).arg(&subject.name[..4]);
    let window = n * STEP;
    if subject.script == LOG {
        let begins = -8 * i64::try_from(n).expect("it is small");
        command.arg(begins).arg(begins + 7).arg(window).arg(3_600_000).arg(at)
    } else {
        command.arg(n).arg(window).arg(at).arg(at + number).arg(3_600_000)
    }
}

/// What callers see: with the crate's own connection and thread.
fn end_to_end(address: &str) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("it can be made");
    let store = RedisStore::open(address).expect("it is an address");
    let limiter = Arc::new(SharedLimiter::new(&store, "bench", Limit::per_hour(u32::MAX)));
    let (callers, each) = (50, 4_000);
    let _ = limiter.check(&());
    let started = Instant::now();
    runtime.block_on(async {
        let tasks: Vec<_> = (0..callers)
            .map(|caller: u32| {
                let limiter = Arc::clone(&limiter);
                tokio::spawn(async move {
                    for _ in 0..each {
                        let _ = limiter.check_async(&caller).await;
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("it ends");
        }
    });
    let rate = f64::from(callers * each) / started.elapsed().as_secs_f64();
    println!(
        "\n{callers} async callers, one connection: {rate:.0} decisions a second, {} without the store",
        store.degraded()
    );
    let started = Instant::now();
    for _ in 0..each {
        let _ = limiter.check("plain");
    }
    println!("one plain caller: {:.1} us a call", started.elapsed().as_secs_f64() * 1e6 / f64::from(each));
    let full = SharedLimiter::new(&store, "full", Limit::per_hour(1));
    let _ = full.check(&());
    let (asked, flood) = (store.asked(), 1_000_000);
    let started = Instant::now();
    let refused = (0..flood).filter(|_| full.check(&()).is_err()).count();
    assert_eq!(refused, flood);
    println!(
        "{flood} calls that are refused: {:.0} ns each, {} of them reached the server",
        started.elapsed().as_secs_f64() * 1e9 / flood as f64,
        store.asked() - asked
    );
}

fn field<'t>(text: &'t str, name: &str) -> &'t str {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    value.unwrap_or_else(|| panic!("no {name}"))
}

fn start() -> (Child, u16) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = listener.local_addr().expect("it has one").port();
    drop(listener);
    let program = std::env::var("WINDOWLIMIT_REDIS_SERVER").unwrap_or_else(|_| "redis-server".to_owned());
    let server = Command::new(&program)
        .args(["--port", &port.to_string(), "--save", "", "--appendonly", "no"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("wanted `{program}`, which can be started: {error}"));
    (server, port)
}

fn connect(address: &str) -> Connection {
    let client = redis::Client::open(address).expect("it is an address");
    for _ in 0..200 {
        if let Ok(connection) = client.get_connection() {
            return connection;
        }
        thread::sleep(Duration::from_millis(25));
    }
    panic!("the server does not come up");
}

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

use redis::Connection;
use windowlimit::{Limit, RedisStore, SharedLimiter};

/// Between two admissions, in microseconds.
const STEP: u64 = 1_000;
const BATCH: u64 = 1_000;
const BATCHES: u64 = 60;
/// The longest call is that of the pass in which it was shortest: in the others the server may have had no core.
const PASSES: u64 = 3;

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

const EMPTY: &str = "return 0";
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
    for setting in [["slowlog-log-slower-than", "20"], ["slowlog-max-len", "10000"]] {
        redis::cmd("CONFIG").arg("SET").arg(&setting[..]).exec(&mut connection).expect("the server answers");
    }
    let version = info(&mut connection, "server", "redis_version");
    println!("server {version}; microseconds of its time for each call, less the empty script's\n");
    let empty = low((0..BATCHES).map(|_| mean(&mut connection, EMPTY, 1, &mut || 1)).collect());
    println!("an empty script takes {empty:.2}\n");
    println!("| N | window | admit | refuse | bytes for each live admission, at most | longest call |");
    println!("|---|---|---|---|---|---|");
    for n in [10, 1_000, 100_000] {
        for subject in &SUBJECTS {
            measure(&mut connection, subject, n, empty);
        }
    }
    println!();
    idle(&mut connection);
    end_to_end(&address);
    let _ = server.kill();
    let _ = server.wait();
}

fn measure(connection: &mut Connection, subject: &Subject, n: u64, empty: f64) {
    redis::cmd("FLUSHALL").exec(connection).expect("the server answers");
    let script = subject.script;
    // Fills the window, one admission after another.
    let mut now = 1_000_000_000;
    let mut step = || {
        now += STEP;
        now
    };
    assert_eq!(call_all(connection, script, n, n, &mut step), n, "{} admits what fits", subject.name);
    // The log is cut every now and then: so many admissions that it is.
    let (mut refused, mut admitted, mut bytes, mut longest_calls) = (Vec::new(), Vec::new(), 0, Vec::new());
    let batches = (BATCHES / PASSES).max(2 * n / BATCH);
    for batch in 0..PASSES * batches {
        if batch % batches == 0 {
            longest_calls.push(longest(connection));
        }
        let at = step() - STEP / 2;
        refused.push(mean(connection, script, n, &mut || at - STEP / 2));
        // One more has left meanwhile, for which nobody came.
        call_all(connection, script, n, 1, &mut || at + STEP / 2);
        admitted.push(mean(connection, script, n, &mut step));
        let used = redis::cmd("MEMORY").arg("USAGE").arg("window").arg("SAMPLES").arg(0).query(connection);
        bytes = bytes.max(used.expect("it is there"));
    }
    longest_calls.push(longest(connection));
    println!(
        "| {n} | {} | {:.2} | {:.2} | {:.1} | {} us |",
        subject.name,
        low(admitted) - empty,
        low(refused) - empty,
        f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / n as f64,
        // Before the first pass the window was filled.
        longest_calls[1..].iter().min().expect("there was a pass")
    );
}

/// The lowest tenth: what a batch costs while nobody else has the core.
fn low(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 10]
}

/// The longest call that the server remembers, in microseconds; it forgets them.
fn longest(connection: &mut Connection) -> u64 {
    let entries: Vec<Vec<redis::Value>> =
        redis::cmd("SLOWLOG").arg("GET").arg("-1").query(connection).expect("it answers");
    let times = entries.iter().filter_map(|entry| match entry.get(2) {
        Some(redis::Value::Int(time)) => u64::try_from(*time).ok(),
        _ => None,
    });
    let longest = times.max().unwrap_or(0);
    redis::cmd("SLOWLOG").arg("RESET").exec(connection).expect("the server answers");
    longest
}

/// After a silence in which everything has left, one call may have it all to clear away.
fn idle(connection: &mut Connection) {
    let n = 100_000;
    for subject in &SUBJECTS {
        let first_calls = (0..PASSES).map(|_| {
            redis::cmd("FLUSHALL").exec(connection).expect("the server answers");
            let mut at = 1_000_000_000;
            call_all(connection, subject.script, n, n, &mut || {
                at += STEP;
                at
            });
            longest(connection);
            call_all(connection, subject.script, n, 1, &mut || at + 10 * n * STEP);
            longest(connection)
        });
        let shortest = first_calls.min().expect("there was a pass");
        println!("first call after a silence, N = {n}, {}: {shortest} us", subject.name);
    }
}

/// Microseconds of the server's processor for each call of a batch.
fn mean(connection: &mut Connection, script: &str, n: u64, at: &mut dyn FnMut() -> u64) -> f64 {
    let before = processor(connection);
    call_all(connection, script, n, BATCH, at);
    (processor(connection) - before) * 1e6 / BATCH as f64
}

fn processor(connection: &mut Connection) -> f64 {
    ["used_cpu_user_main_thread", "used_cpu_sys_main_thread"]
        .iter()
        .map(|field| info(connection, "cpu", field).parse::<f64>().expect("it is a number"))
        .sum()
}

/// Makes so many calls; returns how many were admitted.
fn call_all(
    connection: &mut Connection,
    script: &str,
    n: u64,
    calls: u64,
    at: &mut dyn FnMut() -> u64,
) -> u64 {
    let digest: String =
        redis::cmd("SCRIPT").arg("LOAD").arg(script).query(connection).expect("the server answers");
    let (mut admitted, mut made) = (0, 0);
    while made < calls {
        let mut pipeline = redis::pipe();
        for _ in 0..(calls - made).min(500) {
            made += 1;
            let command = pipeline.cmd("EVALSHA").arg(&digest).arg(1).arg("window");
            let (at, window) = (at(), n * STEP);
            if script == LOG {
                let begins = -8 * i64::try_from(n).expect("it is small");
                command.arg(begins).arg(begins + 7).arg(window).arg(3_600_000).arg(at);
            } else {
                command.arg(n).arg(window).arg(at).arg(at + made).arg(3_600_000);
            }
        }
        let answers: Vec<i64> = pipeline.query(connection).expect("the server answers");
        admitted += answers.iter().filter(|wait| **wait == 0).count() as u64;
    }
    admitted
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

fn info(connection: &mut Connection, section: &str, field: &str) -> String {
    let text: String = redis::cmd("INFO").arg(section).query(connection).expect("the server answers");
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.unwrap_or_else(|| panic!("no {field}")).to_owned()
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

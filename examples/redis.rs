//! Three processes and one limit: `cargo run --example redis`.
//!
//! It takes the server that `WINDOWLIMIT_REDIS_URL` names, or starts one of its own on a free port, and then itself three
//! times. Each process calls the same annotated function about eight times a second, where ten calls in two seconds are
//! allowed to all of them together.

use std::{
    env,
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Command, ExitCode, Stdio},
    sync::{LazyLock, mpsc},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anstream::println;
use anstyle::{AnsiColor, Style};
use windowlimit::{RateLimitExceeded, RedisStore, window_rate_limit};

const LIMIT: u32 = 10;
const WINDOW: Duration = Duration::from_secs(2);
const TIME: Duration = Duration::from_secs(6);
const VARIABLE: &str = "WINDOWLIMIT_REDIS_URL";

static REDIS: LazyLock<RedisStore> = LazyLock::new(|| {
    let address = env::var(VARIABLE).unwrap_or_else(|_| "redis://127.0.0.1:6379".to_owned());
    RedisStore::open(&address).unwrap_or_else(|error| panic!("{VARIABLE}: {error}"))
});

/// At most ten calls in any two seconds, by however many processes.
#[window_rate_limit(limit = LIMIT, window = WINDOW, store = REDIS, name = "get_content")]
fn get_content() -> Result<&'static str, RateLimitExceeded> {
    Ok("Hello World")
}

fn main() -> ExitCode {
    if let Some(process) = env::args().nth(1) {
        work(&process);
        return ExitCode::SUCCESS;
    }
    let server = match env::var(VARIABLE) {
        Ok(address) => Ok((None, address)),
        Err(_) => start_server().map(|(server, address)| (Some(Running(server)), address)),
    };
    let (_server, address) = match server {
        Ok(server) => server,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    println!("three processes, {LIMIT} calls in any two seconds for all of them, at {address}\n");
    println!(" time   process   call");
    let admitted = run(&address);
    let fullest = fullest(&admitted);
    println!("\nthe fullest two seconds, wherever they start: {fullest} of {LIMIT} admitted");
    if fullest > LIMIT as usize {
        eprintln!(
            "wanted at most {LIMIT}: a process that cannot ask the store keeps to the limit by itself. Is there a server at \
             {address}? `redis-cli -u {address} ping` tells"
        );
    }
    if fullest > LIMIT as usize || admitted.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// One of the three: calls for a while, and tells of each call when it began and ended.
fn work(process: &str) {
    let started = now();
    while now() - started < TIME.as_secs_f64() {
        let before = now();
        let outcome = match get_content() {
            Ok(_content) => "admitted".to_owned(),
            Err(refusal) => {
                format!("refused, room in {} ms", refusal.retry_after().unwrap_or_default().as_millis())
            }
        };
        std::println!("{process}|{before}|{}|{outcome}", now());
        thread::sleep(Duration::from_millis(fastrand::u64(80..=170)));
    }
}

/// Runs the three and shows what they tell. Returns the admissions: from before the call to after it.
fn run(address: &str) -> Vec<(f64, f64)> {
    let started = now();
    let mut admitted = Vec::new();
    thread::scope(|scope| {
        let (report, reports) = mpsc::channel();
        for process in ["a", "b", "c"] {
            let report = report.clone();
            let mut child = Command::new(env::current_exe().expect("this is a program"))
                .arg(process)
                .env(VARIABLE, address)
                .stdout(Stdio::piped())
                .spawn()
                .expect("it can be started again");
            scope.spawn(move || {
                let output = child.stdout.take().expect("it is piped");
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    report.send(line).expect("somebody shows them");
                }
                let _ = child.wait();
            });
        }
        // Ours, so that the reports end with the last process.
        drop(report);
        for line in reports {
            if let [process, before, after, outcome] = line.split('|').collect::<Vec<_>>()[..] {
                let at = |text: &str| text.parse::<f64>().expect("the other process has written it");
                let is_admitted = outcome == "admitted";
                if is_admitted {
                    admitted.push((at(before), at(after)));
                }
                let color = if is_admitted { AnsiColor::Green } else { AnsiColor::Red };
                let style = Style::new().fg_color(Some(color.into())).bold();
                println!("{:5.2}s  {process:>5}     {style}{outcome}{style:#}", at(before) - started);
            }
        }
    });
    admitted
}

/// The most admitted calls that lie in one window with all that they took: those were certainly decided in it.
fn fullest(admitted: &[(f64, f64)]) -> usize {
    let end = |start: f64| start + WINDOW.as_secs_f64();
    let windows = admitted.iter().map(|(first, _)| {
        admitted.iter().filter(|(before, after)| before >= first && *after < end(*first)).count()
    });
    windows.max().unwrap_or(0)
}

/// A server of our own, which ends with us.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_server() -> Result<(Child, String), String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    drop(listener);
    let start = |program: &&str| {
        Command::new(program)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()
    };
    let server = ["redis-server", "valkey-server"].iter().find_map(start).ok_or_else(|| {
        format!(
            "wanted a Redis or Valkey server, found none: install `redis-server` (`apt install redis-server`, \
             `brew install redis`) or `valkey-server`, or name one that runs in {VARIABLE}"
        )
    })?;
    for _ in 0..200 {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok((server, format!("redis://127.0.0.1:{port}")));
        }
        thread::sleep(Duration::from_millis(25));
    }
    Err("the server that was started does not listen".to_owned())
}

/// Seconds on the clock that all processes of a machine share.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

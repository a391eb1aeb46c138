//! The axum example as a real process, over a real socket, with a real HTTP client.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The running service; it ends with the test.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    /// Builds the example and starts it on a free port.
    fn start() -> Self {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/Cargo.toml");
        let mut process = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--manifest-path", manifest, "--example", "axum"])
            .env("PORT", "0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo runs");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let line = lines.next().expect("the service says where it listens").expect("in UTF-8");
        let address = line.strip_prefix("listening on ").expect("that is its first line").to_owned();
        Self { process, address }
    }

    fn get(&self, path: &str) -> Answer {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut answer = agent.get(format!("{}{path}", self.address)).call().expect("the service answers");
        let retry_after = answer.headers().get("retry-after");
        Answer {
            status: answer.status().as_u16(),
            retry_after: retry_after.map(|value| value.to_str().expect("it is text").to_owned()),
            body: answer.body_mut().read_to_string().expect("it is text"),
        }
    }

    /// So many requests at once; the answers in no order.
    fn get_at_once(&self, path: &str, requests: usize) -> Vec<Answer> {
        thread::scope(|scope| {
            let requests: Vec<_> = (0..requests).map(|_| scope.spawn(|| self.get(path))).collect();
            requests.into_iter().map(|request| request.join().expect("it was answered")).collect()
        })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // `cargo run` becomes the example on Unix, and waits for it elsewhere.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Answer {
    status: u16,
    retry_after: Option<String>,
    body: String,
}

/// The seconds of a refusal, after a look at all the rest of it.
fn retry_after(refused: &Answer) -> u64 {
    assert_eq!(refused.status, 429);
    assert_eq!(refused.body, "Too many requests, please try again later.\n");
    let seconds = refused.retry_after.as_ref().expect("a refusal says when to come back");
    assert!(seconds.bytes().all(|digit| digit.is_ascii_digit()), "`{seconds}` is in whole seconds");
    seconds.parse().expect("it is a number")
}

/// Requests at once, all within one window of the handler's longest limit. On a machine that takes longer for them,
/// the window has moved on and there is nothing to count: start anew, with an empty window.
fn within_a_window(path: &str, requests: usize) -> Vec<Answer> {
    for _ in 0..10 {
        let service = Service::start();
        let started = Instant::now();
        let answers = service.get_at_once(path, requests);
        if started.elapsed() < Duration::from_secs(60) {
            return answers;
        }
    }
    panic!("{requests} requests take more than a minute on this machine: nothing was shown");
}

#[test]
fn of_many_concurrent_requests_as_many_succeed_as_the_limit_says() {
    let answers = within_a_window("/", 60);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(admitted.len(), 5);
    assert!(admitted.iter().all(|answer| answer.body == "Hello World\n" && answer.retry_after.is_none()));
    assert_eq!(refused.len(), 55);
    for answer in refused {
        assert!((1..=60).contains(&retry_after(answer)));
    }
}

/// Ten a second and thirty a minute: how many the seconds let through depends on the machine, the minute does not.
#[test]
fn of_two_limits_neither_is_exceeded() {
    let answers = within_a_window("/search", 90);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!((10..=30).contains(&admitted.len()), "{} were admitted", admitted.len());
    assert_eq!(admitted.len() + refused.len(), 90);
    for answer in refused {
        // A refusal by the second says 1, which is no less for being the rest of one.
        assert!((1..=60).contains(&retry_after(answer)));
    }
}

//! An example as a real process, and what it answers.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use socket2::{Domain, Socket, Type};

/// The running service; it ends with the test.
pub(crate) struct Service {
    process: Child,
    address: String,
}

impl Service {
    /// Builds the example and starts it on a free port.
    pub(crate) fn start(example: &str, settings: &[(&str, &str)]) -> Self {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/Cargo.toml");
        let mut process = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--manifest-path", manifest, "--example", example])
            .env("PORT", "0")
            .env_remove("PROXIES")
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo runs");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let line = lines.next().expect("the service says where it listens").expect("in UTF-8");
        let address = line.strip_prefix("listening on ").expect("that is its first line").to_owned();
        Self { process, address }
    }

    /// Where it listens: `http://` and so on.
    #[allow(dead_code)] // only a browser asks
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
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
    pub(crate) fn get_at_once(&self, path: &str, requests: usize) -> Vec<Answer> {
        thread::scope(|scope| {
            let requests: Vec<_> = (0..requests).map(|_| scope.spawn(|| self.get(path))).collect();
            requests.into_iter().map(|request| request.join().expect("it was answered")).collect()
        })
    }

    /// A request from a chosen address, with header lines as they are given. `ureq` does not choose its own address, nor
    /// does it send what is no text.
    pub(crate) fn get_from(&self, from: Ipv4Addr, headers: &[&[u8]]) -> Answer {
        let address = self.address.strip_prefix("http://").expect("it is one of HTTP");
        let to: SocketAddr = address.parse().expect("it is an address and a port");
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("there are sockets");
        socket.bind(&SocketAddrV4::new(from, 0).into()).expect("it was looked whether it can be bound");
        socket.connect(&to.into()).expect("the service listens");
        let mut stream = TcpStream::from(socket);

        let host = format!("Host: {to}");
        let lines: [&[u8]; 3] = [b"GET / HTTP/1.1", host.as_bytes(), b"Connection: close"];
        let mut request = [&lines[..], headers].concat().join(&b"\r\n"[..]);
        request.extend(b"\r\n\r\n");
        stream.write_all(&request).expect("the service reads");

        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the service answers, in UTF-8");
        Answer::read(&answer).unwrap_or_else(|| panic!("it is an answer of HTTP: {answer}"))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // `cargo run` becomes the example on Unix, and waits for it elsewhere.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether a request can come from this address. All of 127.0.0.0/8 is this machine on Linux and Windows, elsewhere
/// perhaps only 127.0.0.1.
pub(crate) fn can_call_from(from: Ipv4Addr) -> bool {
    TcpListener::bind((from, 0)).is_ok()
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) body: String,
}

impl Answer {
    /// Of a connection that was closed behind it.
    fn read(answer: &str) -> Option<Self> {
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let (status, headers) = head.split_once("\r\n")?;
        let mut headers = headers.lines().filter_map(|line| line.split_once(": "));
        let retry_after = headers.find(|(name, _)| name.eq_ignore_ascii_case("retry-after"));
        Some(Self {
            status: status.split(' ').nth(1)?.parse().ok()?,
            retry_after: retry_after.map(|(_, value)| value.to_owned()),
            body: body.to_owned(),
        })
    }

    /// The seconds of a refusal.
    pub(crate) fn seconds(&self) -> u64 {
        assert_eq!(self.status, 429);
        let seconds = self.retry_after.as_ref().expect("a refusal says when to come back");
        assert!(seconds.bytes().all(|digit| digit.is_ascii_digit()), "`{seconds}` is in whole seconds");
        seconds.parse().expect("it is a number")
    }
}

/// What a service of its own answers, all within one minute, the longest window of any handler. On a machine that takes
/// longer, the window has moved on and there is nothing to count: start anew, with an empty window.
pub(crate) fn within_a_window<T>(start: impl Fn() -> Service, ask: impl Fn(&Service) -> T) -> T {
    for _ in 0..10 {
        let service = start();
        let started = Instant::now();
        let answers = ask(&service);
        if started.elapsed() < Duration::from_secs(60) {
            return answers;
        }
    }
    panic!("the requests take more than a minute on this machine: nothing was shown");
}

//! An example as a real process, and what it answers.

use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use socket2::{Domain, Socket, Type};

/// How an example is run that needs these features: where it was built, if `BUILT_EXAMPLES` says that, or it is built first.
/// (A variable that began with `WINDOWLIMIT_` would be taken for the limits of a function.)
pub(crate) fn run(example: &str, features: &str) -> Command {
    if let Some(folder) = env::var_os("BUILT_EXAMPLES") {
        return Command::new(Path::new(&folder).join(example));
    }
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--manifest-path", manifest, "--example", example]);
    cargo.args(["--features", features]);
    cargo
}

/// The running service; it ends with the test.
pub(crate) struct Service {
    process: Child,
    address: String,
}

impl Service {
    /// Starts the example on a free port.
    pub(crate) fn start(example: &str, settings: &[(&str, &str)]) -> Self {
        Self::start_with(example, "", settings)
    }

    /// The same with these features, which the example needs.
    pub(crate) fn start_with(example: &str, features: &str, settings: &[(&str, &str)]) -> Self {
        let mut process = run(example, features)
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
        let text = |value: &http::HeaderValue| value.to_str().expect("it is text").to_owned();
        let headers = answer.headers().iter().map(|(name, value)| (name.to_string(), text(value)));
        Answer {
            status: answer.status().as_u16(),
            headers: headers.collect(),
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
    /// With names in lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    /// Of a connection that was closed behind it.
    fn read(answer: &str) -> Option<Self> {
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let (status, headers) = head.split_once("\r\n")?;
        let headers = headers.lines().filter_map(|line| line.split_once(": "));
        Some(Self {
            status: status.split(' ').nth(1)?.parse().ok()?,
            headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect(),
            body: body.to_owned(),
        })
    }

    /// The value of a header field that is there at most once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "`{name}` twice");
        value
    }

    /// The members of a structured list: of which policy each is, and one of its parameters.
    pub(crate) fn members(&self, field: &str, parameter: &str) -> Vec<(String, i64)> {
        let value = self.header(field).expect("it is there");
        let list: sfv::List = sfv::Parser::new(value).parse().expect("it is a list");
        let member = |entry: &sfv::ListEntry| {
            let sfv::ListEntry::Item(item) = entry else { panic!("a list within `{value}`") };
            let name = item.bare_item.as_string().expect("a string names the policy").as_str().to_owned();
            let number = item.params.get(parameter).and_then(sfv::BareItem::as_integer);
            (name, number.expect("it is a number").into())
        };
        list.iter().map(member).collect()
    }

    /// The first of them: that of the policy which has refused, or which has the least left.
    pub(crate) fn member(&self, field: &str, parameter: &str) -> (String, i64) {
        self.members(field, parameter).into_iter().next().expect("it has a member")
    }

    /// Looks at all of a refusal but for its numbers; the seconds of it.
    pub(crate) fn refused_by(&self, policy: &str) -> u64 {
        let problem: serde_json::Value = serde_json::from_str(&self.body).expect("a refusal is a problem");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(problem["type"], "https://iana.org/assignments/http-problem-types#quota-exceeded");
        assert_eq!(problem["violated-policies"], serde_json::json!([policy]));
        assert_eq!(self.header("cache-control"), Some("no-store"));
        let seconds = self.seconds();
        let told = (policy.to_owned(), seconds.try_into().expect("it is short"));
        assert_eq!(self.member("ratelimit", "t"), told);
        assert_eq!(self.member("ratelimit", "r"), (policy.to_owned(), 0));
        seconds
    }

    /// The seconds of a refusal.
    pub(crate) fn seconds(&self) -> u64 {
        assert_eq!(self.status, 429);
        let seconds = self.header("retry-after").expect("a refusal says when to come back");
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

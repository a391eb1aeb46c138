//! A browser that is told what to do, by the protocol of its developer tools.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    net::TcpStream,
    path::PathBuf,
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client};

/// A page in a browser of its own; both end with the test.
pub(crate) struct Browser {
    process: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Browser {
    /// Starts the browser and opens a page in it.
    pub(crate) fn open(page: &str) -> Self {
        static PROFILES: AtomicU32 = AtomicU32::new(0);
        let profile =
            format!("windowlimit-browser-{}-{}", process::id(), PROFILES.fetch_add(1, Ordering::Relaxed));
        let profile = env::temp_dir().join(profile);
        // It was found when this was built, or else no test comes here.
        let program = option_env!("CHROMIUM").unwrap_or("chromium");
        let mut process = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(page)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut said = BufReader::new(process.stderr.take().expect("it is piped"));
        let mut port = None;
        let mut line = String::new();
        while port.is_none() && said.read_line(&mut line).is_ok_and(|read| read > 0) {
            let address = line.trim().strip_prefix("DevTools listening on ws://127.0.0.1:");
            port = address.and_then(|address| address.split('/').next()?.parse::<u16>().ok());
            line.clear();
        }
        // It goes on talking, and would stop if nobody listened.
        thread::spawn(move || said.lines().for_each(drop));
        let port = port.expect("the browser says where it listens");
        let socket = Self::connect(port, page);
        Self { process, profile, socket, asked: 0 }
    }

    /// The socket of the page.
    fn connect(port: u16, page: &str) -> WebSocket<TcpStream> {
        let address = patiently("the browser opens the page", || {
            let pages = ureq::get(format!("http://127.0.0.1:{port}/json/list")).call().ok()?;
            let pages: Value = serde_json::from_reader(pages.into_body().into_reader()).ok()?;
            let mut pages = pages.as_array()?.iter();
            let page = pages.find(|it| it["url"].as_str().is_some_and(|url| url.starts_with(page)))?;
            Some(page["webSocketDebuggerUrl"].as_str()?.to_owned())
        });
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the browser listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it is not zero");
        client(address, stream).expect("it speaks its protocol").0
    }

    /// The value of an expression in the page.
    pub(crate) fn ask(&mut self, expression: &str) -> Value {
        self.asked += 1;
        let parameters = json!({ "expression": expression, "returnByValue": true });
        let question = json!({ "id": self.asked, "method": "Runtime.evaluate", "params": parameters });
        self.socket.send(Message::text(question.to_string())).expect("the browser listens");
        loop {
            let Message::Text(answer) = self.socket.read().expect("the browser answers") else { continue };
            let answer: Value = serde_json::from_str(&answer).expect("it answers in JSON");
            if answer["id"] == json!(self.asked) {
                let result = &answer["result"];
                assert!(result["exceptionDetails"].is_null(), "{expression}: {answer}");
                return result["result"]["value"].clone();
            }
        }
    }

    /// Waits until the page is as it should be.
    #[track_caller]
    pub(crate) fn until(&mut self, mut is_so: impl FnMut(&mut Self) -> bool) {
        let page = |browser: &mut Self| browser.ask("document.body?.innerText ?? ''");
        let mut last = Value::Null;
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if is_so(self) {
                return;
            }
            last = page(self);
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the page did not become so in {PATIENCE:?}; it shows:\n{last}");
    }
}

/// No machine is so slow: who waits for longer waits for what does not come.
const PATIENCE: Duration = Duration::from_secs(120);

fn patiently<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{what}: not within {PATIENCE:?}");
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

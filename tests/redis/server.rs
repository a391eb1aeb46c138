//! Servers of the tests' own, on free ports of the loopback address.

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use windowlimit::{RedisStore, RedisStoreBuilder};

/// A program that can be started.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    path: PathBuf,
    server: &'static str,
}

impl Program {
    /// Whether this is the server of that name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.server == name
    }

    /// The program of this name: that which the variable names, or the first on the path.
    pub(crate) fn find(server: &'static str, name: &str, variable: &str) -> Result<Self, String> {
        let named = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file());
        let on_path = || {
            let folders = env::var_os("PATH").unwrap_or_default();
            env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
        };
        named
            .or_else(on_path)
            .map(|path| Self { path, server })
            .ok_or_else(|| format!("SKIPPED: no {name} on the path or in {variable}"))
    }
}

impl Program {
    /// What it says of options with which it does not start.
    pub(crate) fn refuses(&self, options: &[&str]) -> String {
        let output = Command::new(&self.path).args(options).stdin(Stdio::null()).output();
        let output = output.expect("the server can be started");
        assert!(!output.status.success(), "{options:?}");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }
}

/// A running server. It ends with the value.
pub(crate) struct Server {
    program: Program,
    options: Vec<String>,
    pub(crate) port: u16,
    child: Option<Child>,
    folder: PathBuf,
}

impl Server {
    pub(crate) fn start(program: &Program) -> Self {
        Self::with(program, &[])
    }

    pub(crate) fn with(program: &Program, options: &[&str]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("server-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let mut server = Self { program: program.clone(), options, port: free_port(), child: None, folder };
        server.run();
        server
    }

    /// Starts it, again with the same port.
    pub(crate) fn run(&mut self) {
        let log = fs::File::create(self.folder.join("log")).expect("a file can be made");
        let child = Command::new(&self.program.path)
            .current_dir(&self.folder)
            .args([
                "--port",
                &self.port.to_string(),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
            ])
            .args(&self.options)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(Stdio::null())
            .spawn()
            .expect("the server can be started");
        self.child = Some(child);
        let started = Instant::now();
        while self.try_connect().is_none() {
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "the server does not come up: {}",
                self.log()
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn try_connect(&self) -> Option<redis::Connection> {
        let client = redis::Client::open(self.address()).expect("it is an address");
        let mut connection = client.get_connection().ok()?;
        // One that wants a password is up as well.
        match redis::cmd("PING").exec(&mut connection) {
            Err(error) if error.code() == Some("LOADING") => None,
            _ => Some(connection),
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// A connection beside the store's.
    pub(crate) fn connect(&self) -> redis::Connection {
        self.try_connect().expect("the server is up")
    }

    /// Sends a command, whatever becomes of it.
    pub(crate) fn run_command(&self, words: &[&str]) {
        let mut command = redis::cmd(words[0]);
        for word in &words[1..] {
            command.arg(*word);
        }
        command.exec(&mut self.connect()).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    }

    /// Kills it, so that nothing is saved.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Sends a signal to it.
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.as_ref().expect("it runs").id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("there is a kill");
        assert!(sent.success(), "{signal}");
    }

    pub(crate) fn store(&self) -> RedisStore {
        self.patient().build()
    }

    /// A store that does not give up where the machine is busy.
    pub(crate) fn patient(&self) -> RedisStoreBuilder {
        let store = RedisStore::builder(&self.address()).expect("it is an address");
        store.deadline(Duration::from_secs(20))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it has one").port()
}

/// Looks again and again until it is so.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}: it never is");
        // The cores are for those that are waited for.
        thread::sleep(Duration::from_millis(1));
    }
}

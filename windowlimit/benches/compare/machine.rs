//! Where and when it was measured, by which command, and of which versions.

use std::{env, fs, path::Path, process::Command, thread, time::SystemTime};

pub(crate) struct Machine {
    command: String,
    started: SystemTime,
    /// How many wanted to run, at the start and after each section.
    loads: Vec<f64>,
    versions: Vec<(String, String)>,
}

/// What is compared, as it is called in `Cargo.lock`.
const CRATES: [&str; 10] = [
    "windowlimit",
    "governor",
    "quanta",
    "ratelimit",
    "leaky-bucket",
    "rate-net",
    "throttle-net",
    "throttle_my_fn",
    "tower-resilience-ratelimiter",
    "parking_lot",
];

impl Machine {
    pub(crate) fn now(arguments: &[String]) -> Self {
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock");
        let lock = fs::read_to_string(lock).unwrap_or_default();
        let versions = CRATES.iter().filter_map(|name| Some(((*name).to_owned(), version_in(&lock, name)?)));
        let features = if cfg!(feature = "quanta") { " --features quanta" } else { "" };
        let arguments = arguments.join(" ");
        let arguments = if arguments.is_empty() { arguments } else { format!(" -- {arguments}") };
        let mut machine = Self {
            command: format!("cargo bench -p windowlimit{features} --bench compare{arguments}"),
            started: SystemTime::now(),
            loads: Vec::new(),
            versions: versions.collect(),
        };
        machine.look();
        machine
    }

    pub(crate) fn look(&mut self) {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        self.loads.extend(load.split(' ').next().and_then(|load| load.parse::<f64>().ok()));
    }

    pub(crate) fn version(&mut self, of: &str, version: String) {
        self.versions.push((of.to_owned(), version));
    }

    pub(crate) fn text(&self) -> String {
        let versions: Vec<_> =
            self.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
        let took = self.started.elapsed().unwrap_or_default().as_secs();
        let loads: Vec<_> = self.loads.iter().map(|load| format!("{load:.1}")).collect();
        format!(
            "`{}`, {}, in {took} s.\n\n{}; {}. {}. The load of the machine, at the start and after each section: {}.",
            self.command,
            humantime::format_rfc3339_seconds(self.started),
            hardware(),
            output("rustc", &["-V"]),
            versions.join(", "),
            loads.join(", "),
        )
    }
}

/// The newest version of this crate.
pub(crate) fn version_in(lock: &str, name: &str) -> Option<String> {
    let (_, after) = lock.rsplit_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    Some(after.split_once('"')?.0.to_owned())
}

fn hardware() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let model = model.trim_start_matches(['\t', ' ', ':']);
    let virtual_machine = if cpus.contains(" hypervisor ") { ", a virtual machine" } else { "" };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let system = output("uname", &["-sr"]);
    format!(
        "{cores} cores of {} ({}){virtual_machine}, {system}",
        or(model, "a processor"),
        env::consts::ARCH
    )
}

fn or<'s>(text: &'s str, other: &'s str) -> &'s str {
    if text.is_empty() { other } else { text }
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output.map_or_else(
        |_| format!("no {program}"),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

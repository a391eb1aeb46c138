//! What the compiler takes: for the crate with its dependencies, and for functions with the attribute.
//!
//! Crates are written into the target folder and compiled there. What counts is the time of the processor, which tells more
//! than the clock on a machine that has other things to do.

use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use wait4::Wait4 as _;

use crate::{
    Extent,
    machine::version_in,
    report::{Goal, Report, Row},
    rounds::Rounds,
};

const FUNCTIONS: u32 = 500;
const ROUNDS: usize = 7;
const CLEAN_ROUNDS: usize = 1;

/// A crate for each, with these lines before each function. All have all dependencies, so that to load these is in none of
/// the differences.
const VARIANTS: [(&str, &str); 4] = [
    ("functions_plain", ""),
    ("functions_window_rate_limit", "#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]"),
    ("functions_instrument", "#[tracing::instrument(skip_all)]"),
    ("functions_cached", "#[cached::macros::cached]"),
];

/// What functions have, and an output that all attributes know: a refusal is `None`.
const FUNCTION: &str = "
ATTRIBUTE
pub fn function_INDEX(input: String, scale: u32) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for (index, word) in input.split_whitespace().enumerate() {
        if word.starts_with('#') {
            continue;
        }
        match word.parse::<u32>() {
            Ok(number) if number > scale => numbers.push(number - scale),
            Ok(number) => numbers.push(number * scale + INDEX),
            Err(_) => numbers.push(u32::try_from(index).unwrap_or(u32::MAX)),
        }
    }
    numbers.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
    Some(numbers)
}
";

/// In the environment of the compiler: this program stands in front of it, and has it print what it expands.
const WRAPPER: &str = "WINDOWLIMIT_EXPANDED";

/// Whether this is the program in front of the compiler, which has then run.
pub(crate) fn is_wrapper() -> bool {
    if env::var_os(WRAPPER).is_none() {
        return false;
    }
    let mut arguments = env::args_os().skip(1);
    let mut compiler = Command::new(arguments.next().expect("the compiler comes first"));
    let arguments: Vec<_> = arguments.collect();
    if arguments.iter().any(|argument| argument.to_string_lossy().starts_with("functions_")) {
        // So that the stable compiler knows the flag; only of this crate, or its dependencies would be built anew.
        compiler.env("RUSTC_BOOTSTRAP", "1").arg("-Zunpretty=expanded");
    }
    let status = compiler.args(arguments).status().expect("the compiler runs");
    std::process::exit(status.code().unwrap_or(1));
}

pub(crate) fn compare(extent: Extent, report: &mut Report) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile");
    functions(&root.join("functions"), extent, report);
    clean_builds(&root.join("clean"), extent, report);
    report.note(format!(
        "Compiling: the time of the processor, user and system, of cargo and the compiler. Of {FUNCTIONS} functions with an \
         attribute, by `cargo check` of their crate alone, less what the same functions take without it; a clean build is \
         `cargo build` of an empty crate with this dependency, the first time and without the download."
    ));
}

fn functions(root: &Path, extent: Extent, report: &mut Report) {
    let windowlimit = env!("CARGO_MANIFEST_DIR");
    let dependencies =
        format!("windowlimit = {{ path = {windowlimit:?} }}\ntracing = \"0.1\"\ncached = \"4\"\n");
    let target = root.join("target");
    let crates = VARIANTS.map(|(name, attribute)| {
        let folder = root.join(name);
        write(&folder, name, &dependencies, &source(attribute));
        // With their dependencies.
        cargo(&folder, &target, &["check"]);
        folder
    });
    let lock = fs::read_to_string(crates[0].join("Cargo.lock")).unwrap_or_default();
    for name in ["tracing", "cached"] {
        report.version(name, version_in(&lock, name).unwrap_or_default());
    }
    let found = Rounds::of(extent.rounds(ROUNDS), VARIANTS.len(), |place| {
        touch(&crates[place]);
        let used = cargo(&crates[place], &target, &["check"]);
        used.cpu.as_secs_f64() * 1e3 / f64::from(FUNCTIONS)
    });
    let [_, ours, instrument, cached] = [0, 1, 2, 3].map(|place| found.difference(place, 0));
    let ratio = |place| found.ratio_beyond(1, place, 0);
    report.group(
        &format!("{FUNCTIONS} functions, `cargo check`, ms of the processor a function for the attribute"),
        [
            Row::alone("the attribute", ours, Goal::AtMost(0.7)),
            Row::beside(
                "the attribute",
                ours,
                ("`#[tracing::instrument]`", instrument),
                ratio(2),
                Goal::Below(1.0),
            ),
            Row::beside("the attribute", ours, ("`#[cached]`", cached), ratio(3), Goal::Below(1.0)),
            Row::beside(
                "the attribute",
                ours,
                ("the functions without it", found.median(0)),
                ours / found.median(0),
                Goal::None,
            ),
        ],
    );
    let [plain, ours, instrument, cached] = crates.map(|folder| {
        touch(&folder);
        expanded(&folder, &target)
    });
    let each =
        |bytes: usize| f64::from(u32::try_from(bytes - plain).unwrap_or(u32::MAX)) / f64::from(FUNCTIONS);
    let beside = |peer, theirs: usize| {
        Row::beside("the attribute", each(ours), (peer, each(theirs)), each(ours) / each(theirs), Goal::None)
    };
    report.group(
        "The same functions, bytes of expansion a function, as the compiler prints it",
        [beside("`#[tracing::instrument]`", instrument), beside("`#[cached]`", cached)],
    );
}

fn clean_builds(root: &Path, extent: Extent, report: &mut Report) {
    let windowlimit = env!("CARGO_MANIFEST_DIR");
    let dependencies = [
        format!("windowlimit = {{ path = {windowlimit:?} }}\n"),
        "governor = \"0.10\"\n".to_owned(),
        "cached = \"4\"\n".to_owned(),
        "tracing = \"0.1\"\n".to_owned(),
    ];
    let names = ["windowlimit", "governor", "cached", "tracing"];
    let crates: Vec<PathBuf> = names.iter().map(|name| root.join(name)).collect();
    for ((folder, name), dependencies) in crates.iter().zip(names).zip(&dependencies) {
        write(folder, &format!("clean_{name}"), dependencies, "");
        cargo(folder, &root.join("target"), &["fetch"]);
    }
    let mut walls = [Duration::MAX; 4];
    let found = Rounds::from_the_first(extent.rounds(CLEAN_ROUNDS), names.len(), |place| {
        let target = root.join("target").join(names[place]);
        if target.exists() {
            fs::remove_dir_all(&target).expect("a folder of our own can be removed");
        }
        let used = cargo(&crates[place], &target, &["build"]);
        walls[place] = walls[place].min(used.wall);
        used.cpu.as_secs_f64()
    });
    let row = |place: usize| {
        let peer = format!("{} ({:.1} s by the clock)", names[place], walls[place].as_secs_f64());
        let what = format!("default features ({:.1} s by the clock)", walls[0].as_secs_f64());
        Row::beside(what, found.median(0), (&peer, found.median(place)), found.ratio(0, place), Goal::None)
    };
    report.group("A clean build with all dependencies, s of the processor", (1..names.len()).map(row));
}

fn source(attribute: &str) -> String {
    let mut source = "extern crate cached;\nextern crate tracing;\nextern crate windowlimit;\n".to_owned();
    for index in 0..FUNCTIONS {
        let function = FUNCTION.replace("ATTRIBUTE", attribute).replace("INDEX", &index.to_string());
        write!(source, "{function}").expect("a string takes everything");
    }
    source
}

fn write(folder: &Path, name: &str, dependencies: &str, source: &str) {
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{dependencies}"
    );
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest can be written");
    fs::write(folder.join("src/lib.rs"), source).expect("a source can be written");
}

/// So that cargo compiles it anew.
fn touch(folder: &Path) {
    let source = folder.join("src/lib.rs");
    let text = fs::read(&source).expect("the source is there");
    fs::write(&source, text).expect("the source can be written");
}

/// What a run of cargo took, with all that it has started.
struct Used {
    cpu: Duration,
    wall: Duration,
}

fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Used {
    let started = std::time::Instant::now();
    let said = folder.join("said");
    let file = fs::File::create(&said).expect("a file can be made");
    let mut child = command(folder, target, arguments)
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .expect("cargo can be started");
    let used = child.wait4().expect("what a process took can be asked");
    assert!(used.status.success(), "{}", fs::read_to_string(said).unwrap_or_default());
    Used { cpu: used.rusage.utime + used.rusage.stime, wall: started.elapsed() }
}

/// The length of the source as the compiler sees it when all macros are expanded.
fn expanded(folder: &Path, target: &Path) -> usize {
    let program = env::current_exe().expect("this program has a path");
    let output = command(folder, target, &["rustc", "--profile", "check"])
        .env(WRAPPER, "")
        .env("RUSTC_WORKSPACE_WRAPPER", program)
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout.len()
}

fn command(folder: &Path, target: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0")
        // The one that belongs to this cargo: otherwise a dependency that wants another toolchain would get it.
        .env("RUSTC", Path::new(env!("CARGO")).with_file_name("rustc"))
        .stdin(Stdio::null());
    command
}

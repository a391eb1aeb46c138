//! How long 500 functions take to check and to build: plain, with `#[window_rate_limit]`, and with
//! `#[tracing::instrument]`. Every variant is a crate of its own under the target folder, whose dependencies are
//! built before anything is measured. Run it by `cargo bench -p windowlimit-macros`; README.md keeps results.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const FUNCTIONS: usize = 500;

/// The fastest of so many rounds counts: everything that disturbs a measurement makes it slower.
const ROUNDS: usize = 5;

const VARIANTS: [(&str, &str); 3] = [
    ("plain", ""),
    ("window_rate_limit", "#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]"),
    ("instrument", "#[tracing::instrument(skip_all)]"),
];

/// Half of the functions are `async`; the body has what functions have.
const FUNCTION: &str = "
ATTRIBUTE
pub ASYNC fn function_INDEX(input: &str, scale: u32) -> Result<Vec<u32>, windowlimit::RateLimitExceeded> {
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
    Ok(numbers)
}
";

fn main() {
    // `cargo test --all-targets` runs this file as well, and without `--bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("SKIPPED: measures only under `cargo bench`");
        return;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
    let crates: Vec<(&str, PathBuf)> =
        VARIANTS.map(|(name, attribute)| (name, write(&root, name, attribute))).into();
    println!("{FUNCTIONS} functions, fastest of {ROUNDS} rounds");
    for command in ["check", "build"] {
        for (_, folder) in &crates {
            cargo(&root, folder, command);
        }
        let mut fastest = vec![Duration::MAX; crates.len()];
        // Round by round and not variant by variant, so that a busy minute hits all alike.
        for _ in 0..ROUNDS {
            for ((_, folder), fastest) in crates.iter().zip(&mut fastest) {
                *fastest = cargo(&root, folder, command).min(*fastest);
            }
        }
        for ((name, _), fastest) in crates.iter().zip(fastest) {
            println!("cargo {command:<6} {name:<18} {:>6.2} s", fastest.as_secs_f64());
        }
    }
}

fn write(root: &Path, name: &str, attribute: &str) -> PathBuf {
    let folder = root.join(name);
    let windowlimit = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("windowlimit");
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nwindowlimit = {{ path = {:?} }}\ntracing = \"0.1\"\n",
        windowlimit.display().to_string(),
    );
    let mut source = String::new();
    for index in 0..FUNCTIONS {
        let function = FUNCTION.replace("ATTRIBUTE", attribute).replace("INDEX", &index.to_string());
        let asyncness = if index % 2 == 0 { "" } else { "async" };
        write!(source, "{}", function.replace("ASYNC", asyncness)).expect("a string takes everything");
    }
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest can be written");
    fs::write(folder.join("src/lib.rs"), source).expect("a source can be written");
    folder
}

/// Compiles the crate alone, anew.
fn cargo(root: &Path, folder: &Path, command: &str) -> Duration {
    let source = folder.join("src/lib.rs");
    let text = fs::read(&source).expect("the source is there");
    fs::write(&source, text).expect("the source can be touched");
    let start = Instant::now();
    let output = Command::new(env!("CARGO"))
        .arg(command)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .stdin(Stdio::null())
        .output()
        .expect("cargo can be started");
    let elapsed = start.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    elapsed
}

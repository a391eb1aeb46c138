//! Breaks the source in one place after the other, and checks that the models notice: each test is a mutant.
//!
//! A mutant is a copy of the two crates with one text replaced, built and run under the model checker. A mutant that
//! survives means that a model is missing, or that the code is stronger than it needs to be. `tests/run.sh mutants`
//! runs them.
#![forbid(unsafe_code)]

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Two at a time, each in a folder in which only what was changed is built again.
static FOLDERS: [Mutex<()>; 2] = [Mutex::new(()), Mutex::new(())];

/// Which of them is next.
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// One replaced text in a file of `windowlimit/src`, and the model that must fail.
struct Mutant {
    file: &'static str,
    from: &'static str,
    to: &'static str,
    caught_by: &'static str,
    /// What is said then.
    end: &'static str,
}

/// Killed by what the model asserts, and not by chance.
const ASSERTION: &str = "panicked at tests/loom/";

/// Calls wait for each other for ever.
const NO_END: &str = "Model exceeded maximum number of branches";

/// Somebody waits, and nobody is left to wake it.
const NOBODY_WAKES: &str = "deadlock; threads =";

impl Mutant {
    #[track_caller]
    fn must_die(&self) {
        let folder = NEXT.fetch_add(1, Ordering::Relaxed) % FOLDERS.len();
        let _alone = FOLDERS[folder].lock().unwrap_or_else(PoisonError::into_inner);
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member has a parent");
        let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mutants-{folder}"));
        lay_out(project, &copy);

        let path = copy.join("windowlimit/src").join(self.file);
        let source = fs::read_to_string(&path).expect("the file is there");
        let places = places(&source, self.from);
        let [place] = &places[..] else {
            panic!("wanted one place in {} to break, found {}:\n{}", self.file, places.len(), self.from);
        };
        let broken = [&source[..place.start], self.to, &source[place.end..]].concat();
        fs::write(&path, broken).expect("the copy can be written");

        let (survived, output) = Self::explore(&copy, self.caught_by);
        assert!(output.contains("running "), "the mutant does not build:\n{output}");
        assert!(output.contains("running 1 test"), "there is no model `{}`:\n{output}", self.caught_by);
        assert!(!survived, "the model `{}` does not notice:\n-{}\n+{}", self.caught_by, self.from, self.to);
        assert!(output.contains(self.end), "it dies elsewhere:\n{output}");
        fs::copy(project.join("windowlimit/src").join(self.file), &path).expect("the copy can be mended");
    }

    /// Builds the models and runs this one; whether it passed, and what was said.
    fn explore(copy: &Path, model: &str) -> (bool, String) {
        let output = Command::new(env!("CARGO"))
            .args(["test", "-p", "windowlimit-tests", "--test", "loom", "--release"])
            // What is built again for each mutant is built as fast as can be; most of them die at once.
            .args(["--config", "profile.release.package.windowlimit.opt-level=0"])
            .args(["--config", "profile.release.package.windowlimit-tests.opt-level=0"])
            .args(["--", "--exact", model])
            .current_dir(copy)
            .env("RUSTFLAGS", "--cfg windowlimit_loom")
            .env("CARGO_TARGET_DIR", copy.join("target"))
            // A mutant differs from the one before it in two places.
            .env("CARGO_INCREMENTAL", "1")
            .output()
            .expect("cargo runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }
}

/// Where a text stands, however it is broken into lines.
fn places(source: &str, text: &str) -> Vec<Range<usize>> {
    let text: String = text.split_whitespace().collect();
    let (squeezed, offsets): (String, Vec<usize>) =
        source.char_indices().filter(|(_, c)| !c.is_whitespace()).map(|(offset, c)| (c, offset)).unzip();
    assert!(source.is_ascii(), "offsets of characters are offsets of bytes");
    squeezed.match_indices(&text).map(|(at, _)| offsets[at]..offsets[at + text.len() - 1] + 1).collect()
}

/// A workspace of what the models need, without the rest and its dependencies.
fn lay_out(project: &Path, copy: &Path) {
    for folder in ["windowlimit", "windowlimit-macros", "tests"] {
        copy_changed(&project.join(folder), &copy.join(folder));
    }
    let manifest = fs::read_to_string(project.join("Cargo.toml")).expect("it is there");
    let manifest = manifest.replace(", \"examples\"", "");
    let readme = fs::read_to_string(project.join("README.md")).expect("it is there");
    write_changed(&copy.join("README.md"), &readme);
    write_changed(&copy.join("windowlimit/README.md"), &readme);
    if write_changed(&copy.join("Cargo.toml"), &manifest) {
        fs::copy(project.join("Cargo.lock"), copy.join("Cargo.lock")).expect("the lock file is there");
    }
}

/// Writes what is not so already; whether it did.
fn write_changed(path: &Path, text: &str) -> bool {
    let is_so = fs::read_to_string(path).is_ok_and(|found| found == text);
    if !is_so {
        fs::write(path, text).expect("the copy can be written");
    }
    !is_so
}

/// Copies what differs, so that the times of what does not stay, and with them what was built of it. What is no longer
/// there is removed.
fn copy_changed(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the copy can be written");
    for entry in fs::read_dir(to).expect("it is there") {
        let old = entry.expect("it can be read").path();
        if !from.join(old.file_name().expect("it has a name")).exists() {
            let removed = if old.is_dir() { fs::remove_dir_all(&old) } else { fs::remove_file(&old) };
            removed.expect("the copy can be written");
        }
    }
    for entry in fs::read_dir(from).expect("it is there") {
        let (from, name) = {
            let entry = entry.expect("it can be read");
            (entry.path(), entry.file_name())
        };
        let to = to.join(name);
        if from.ends_with("tests/fuzz") {
            // No part of it, and large where it has been built.
        } else if from.is_dir() {
            copy_changed(&from, &to);
        } else if !from.is_symlink() && fs::read(&from).ok() != fs::read(&to).ok() {
            fs::copy(&from, &to).expect("the copy can be written");
        }
    }
}

macro_rules! mutants {
    ($($name:ident: $file:literal, $from:literal => $to:literal, $how:ident $word:ident $($more:ident)? $model:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let end = end!($how $word $($more)?);
                Mutant { file: $file, from: $from, to: $to, caught_by: $model, end }.must_die();
            }
        )*
    };
}

macro_rules! end {
    (caught by) => {
        ASSERTION
    };
    (never ends at) => {
        NO_END
    };
    (stuck at) => {
        NOBODY_WAKES
    };
}

mod counted;
mod line;
mod queue;
mod windows;

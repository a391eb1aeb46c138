//! Runs the macro cases: annotated programs, each with the outcome it must have in its first lines (README.md).
//!
//! Every case becomes a package of its own in a workspace under the target folder, and cargo is asked three times
//! for all of them: `check`, `clippy` and `build`. The folders are `macro/`, whose files are never changed, and
//! `more/`; `WINDOWLIMIT_CASES=FOLDER` runs those of another folder instead.

mod case;
mod diagnostic;
mod parity;
mod run;
mod workspace;

use std::path::{Path, PathBuf};

use case::Case;

/// The folder of this file.
fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

#[test]
fn every_case_has_its_outcome() {
    let folders = match std::env::var_os("WINDOWLIMIT_CASES") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => vec![home().join("macro"), home().join("more")],
    };
    let cases: Vec<Case> = folders.iter().flat_map(|folder| case::read_folder(folder)).collect();
    assert!(!cases.is_empty(), "no cases in {folders:?}");
    let failures = run::run(&cases);
    println!("{} of {} cases have their outcome", cases.len() - failures.len(), cases.len());
    assert!(failures.is_empty(), "\n\n{}\n", failures.join("\n\n"));
}

//! Lint parity: a program says the same to rustc and every group of clippy with the attribute and without it.
//!
//! Each program of `parity/` is compiled twice, as it is and without the lines of the attribute. Its functions are
//! full of what lints look for, so that there is something to compare: what the attribute hid, moved or doubled
//! would be a difference, and so would every word about its own tokens. Their arguments are not, since those are the
//! user's code as well.
//!
//! One lint of clippy is left out of the files: `default_numeric_fallback` finds fault with `x > 5`, where `x` is an
//! `i32` and nothing falls back, in the block of a function but not in a block inside of it.

use std::collections::BTreeMap;

use crate::{
    case::{self, Case, Outcome},
    home,
    workspace::{Report, Workspace},
};

/// The body of an annotated function is not constant, and its `Result` is needed.
const MAY_DIFFER: [&str; 2] = ["clippy::missing_const_for_fn", "clippy::unnecessary_wraps"];

/// The oldest that has `async`, with the lints about what changed since, and the newest.
const EDITIONS: [&str; 2] = ["2018", "2024"];

#[test]
fn lints_see_the_same_with_and_without_the_attribute() {
    let programs = case::read_folder(&home().join("parity"));
    let pairs: Vec<(Case, Case)> =
        programs.iter().flat_map(|program| EDITIONS.map(|edition| pair(program, edition))).collect();
    let workspace = Workspace::write("parity", pairs.iter().flat_map(|(limited, plain)| [limited, plain]));
    let names: Vec<&str> = pairs.iter().flat_map(|(a, b)| [a.name.as_str(), b.name.as_str()]).collect();
    let reports = workspace.cargo("clippy", &names);
    let mut differences = String::new();
    for (limited, plain) in &pairs {
        let (with, without) = (said(&reports[&limited.name]), said(&reports[&plain.name]));
        assert!(without.len() >= 40, "only {} lints find fault with {}", without.len(), plain.name);
        differences += &only(&with, &without, &format!("only in {}:", limited.name));
        differences += &only(&without, &with, &format!("only in {}:", plain.name));
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// A program with the attribute and without it. An empty line for each attribute keeps the others where they are.
fn pair(program: &Case, edition: &str) -> (Case, Case) {
    let is_attribute = |line: &&str| line.trim_start().starts_with("#[windowlimit::");
    let plain: Vec<_> =
        program.text.lines().map(|line| if is_attribute(&line) { "" } else { line }).collect();
    let case = |kind: &str, text: String| Case {
        name: format!("{}_{edition}_{kind}", program.name),
        text,
        edition: edition.to_owned(),
        deps: Vec::new(),
        outcome: Outcome::Clippy,
    };
    (case("limited", program.text.clone()), case("plain", plain.join("\n")))
}

/// What the compiler and clippy have said, and how often.
fn said(report: &Report) -> BTreeMap<String, usize> {
    let mut said = BTreeMap::new();
    for diagnostic in &report.diagnostics {
        if !MAY_DIFFER.contains(&diagnostic.code.as_str()) {
            *said.entry(diagnostic.summary()).or_default() += 1;
        }
    }
    said
}

/// What the one has and the other has not.
fn only(a: &BTreeMap<String, usize>, b: &BTreeMap<String, usize>, heading: &str) -> String {
    let missing = a.iter().filter(|(text, count)| b.get(*text) != Some(count));
    let missing: String = missing.map(|(text, _)| text.as_str()).collect();
    if missing.is_empty() { missing } else { format!("{heading}\n{missing}\n") }
}

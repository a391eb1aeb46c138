//! Lint parity: a program says the same to rustc and every group of clippy with the attribute and without it.
//!
//! Each program of `parity/` is compiled three times: as it is, without the lines of the attribute, and with calls that wait. Its functions are
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

/// Beside them, of a function that waits: it has an `.await`.
const MAY_DIFFER_OF_WAIT: &str = "clippy::unused_async";

#[test]
fn lints_see_the_same_with_and_without_the_attribute() {
    let programs = case::read_folder(&home().join("parity"));
    let trios: Vec<[Case; 3]> =
        programs.iter().flat_map(|program| EDITIONS.map(|edition| trio(program, edition))).collect();
    let workspace = Workspace::write("parity", trios.iter().flatten());
    let names: Vec<&str> = trios.iter().flatten().map(|case| case.name.as_str()).collect();
    let reports = workspace.cargo("clippy", &names);
    let mut differences = String::new();
    for [plain, limited, waiting] in &trios {
        let [without, with, with_wait] =
            [plain, limited, waiting].map(|case| said(&reports[&case.name], |_| true));
        let without_unused = said(&reports[&plain.name], |lint| lint != MAY_DIFFER_OF_WAIT);
        assert!(without.len() >= 40, "only {} lints find fault with {}", without.len(), plain.name);
        for (other, with, without) in [(limited, &with, &without), (waiting, &with_wait, &without_unused)] {
            differences += &only(with, without, &format!("only in {}:", other.name));
            differences += &only(without, with, &format!("in {}, but not in {}:", plain.name, other.name));
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
}

/// A program without the attribute, with it, and with one that waits. An empty line for each attribute keeps the others
/// where they are.
fn trio(program: &Case, edition: &str) -> [Case; 3] {
    let case = |kind: &str, attribute: &dyn Fn(&str) -> String| {
        let is_attribute = |line: &str| line.trim_start().starts_with("#[windowlimit::");
        let lines = program.text.lines();
        let lines = lines
            .map(|line| if is_attribute(line) { attribute(line) } else { line.to_owned() })
            .collect::<Vec<_>>();
        Case {
            name: format!("{}_{edition}_{kind}", program.name),
            text: lines.join("\n"),
            edition: edition.to_owned(),
            deps: Vec::new(),
            outcome: Outcome::Clippy,
        }
    };
    [
        case("plain", &|_| String::new()),
        case("limited", &str::to_owned),
        case("waiting", &|line| waiting(line)),
    ]
}

/// The line of an attribute, in front of whose arguments stands how long calls wait.
fn waiting(line: &str) -> String {
    if line.contains("(skip)") {
        return line.to_owned();
    }
    line.replace("window_rate_limit(", "window_rate_limit(max_wait_ms = 5, ")
}

/// What the compiler and clippy have said, and how often.
fn said(report: &Report, counts: impl Fn(&str) -> bool) -> BTreeMap<String, usize> {
    let mut said = BTreeMap::new();
    for diagnostic in &report.diagnostics {
        if !MAY_DIFFER.contains(&diagnostic.code.as_str()) && counts(&diagnostic.code) {
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

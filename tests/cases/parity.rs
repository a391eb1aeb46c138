//! Lint parity: a program says the same to rustc and every group of clippy with the attribute and without it.
//!
//! `parity/functions.rs` is compiled twice, as it is and without the lines of the attribute. Its functions are
//! full of what lints look for, so that there is something to compare: what the attribute hid, moved or doubled
//! would be a difference, and so would every word about its own tokens. Their arguments are not, since those are the
//! user's code as well.
//!
//! One lint of clippy is left out of the file: `default_numeric_fallback` finds fault with `x > 5`, where `x` is an
//! `i32` and nothing falls back, in the block of a function but not in a block inside of it.

use std::{collections::BTreeMap, fs};

use crate::{
    case::{Case, Outcome},
    home,
    workspace::Workspace,
};

/// The body of an annotated function is not constant, and its `Result` is needed.
const MAY_DIFFER: [&str; 2] = ["clippy::missing_const_for_fn", "clippy::unnecessary_wraps"];

#[test]
fn lints_see_the_same_with_and_without_the_attribute() {
    let text = fs::read_to_string(home().join("parity/functions.rs")).expect("the functions are there");
    // An empty line for each attribute keeps the others where they are.
    let plain =
        text.lines().map(|line| if line.trim_start().starts_with("#[windowlimit::") { "" } else { line });
    let plain = plain.collect::<Vec<_>>().join("\n");
    let case = |name: &str, text: &str| Case {
        name: name.to_owned(),
        text: text.to_owned(),
        edition: "2024".to_owned(),
        deps: Vec::new(),
        outcome: Outcome::Clippy,
    };
    let cases = [case("limited", &text), case("plain", &plain)];
    let workspace = Workspace::write("parity", &cases);
    let reports = workspace.cargo("clippy", &["limited", "plain"]);

    let said = |name: &str| {
        let mut said: BTreeMap<String, usize> = BTreeMap::new();
        for diagnostic in &reports[name].diagnostics {
            if !MAY_DIFFER.contains(&diagnostic.code.as_str()) {
                *said.entry(diagnostic.summary()).or_default() += 1;
            }
        }
        said
    };
    let (limited, plain) = (said("limited"), said("plain"));
    assert!(plain.len() >= 40, "only {} lints have something to say: too few to compare", plain.len());
    let only = |a: &BTreeMap<String, usize>, b: &BTreeMap<String, usize>| {
        let missing = a.iter().filter(|(text, count)| b.get(*text) != Some(count));
        missing.map(|(text, _)| text.as_str()).collect::<String>()
    };
    let (with, without) = (only(&limited, &plain), only(&plain, &limited));
    assert!(
        with.is_empty() && without.is_empty(),
        "\nonly with the attribute:\n{with}\nonly without:\n{without}"
    );
}

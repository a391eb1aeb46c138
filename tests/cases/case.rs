//! One case: its text and its directives.

use std::{fs, ops::RangeInclusive, path::Path};

/// A program and what must become of it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) edition: String,
    pub(crate) deps: Vec<String>,
    pub(crate) outcome: Outcome,
}

/// What must become of a case.
pub(crate) enum Outcome {
    /// `check-pass`: no diagnostic at all.
    Check,
    /// `run-pass`: the same, and `main` exits with 0.
    Run,
    /// `fail`: errors, of which one says all of the words.
    Fail(Expected),
    /// `warns`: one lint of rustc and nothing else.
    Warns(String),
    /// `clippy-clean`: no diagnostic of rustc or clippy.
    Clippy,
    /// `clippy-warns`: one lint of rustc or clippy and nothing else.
    ClippyWarns(String),
}

/// The error that must be there.
pub(crate) struct Expected {
    /// All parts must occur, each by one of its alternatives.
    pub(crate) words: Vec<Vec<String>>,
    /// How many errors there are in all.
    pub(crate) count: RangeInclusive<usize>,
    /// What the primary span of the error covers.
    pub(crate) at: Option<String>,
}

/// The cases of a folder, in the order of their names.
pub(crate) fn read_folder(folder: &Path) -> Vec<Case> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

impl Case {
    fn read(path: &Path) -> Self {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("a case is readable text");
        let (mut outcome, mut edition, mut deps) = (None, "2024".to_owned(), Vec::new());
        for directive in text.lines().map_while(|line| line.strip_prefix("//@ ")) {
            let (key, value) = directive.split_once(": ").unwrap_or((directive, ""));
            match key.trim() {
                "edition" => value.trim().clone_into(&mut edition),
                "deps" => deps = value.split_whitespace().map(str::to_owned).collect(),
                key => {
                    let read = Outcome::read(key, value.trim());
                    outcome = Some(read.unwrap_or_else(|| panic!("{name}: {directive}")));
                }
            }
        }
        let outcome = outcome.unwrap_or_else(|| panic!("{name} does not say what must become of it"));
        Self { name, text, edition, deps, outcome }
    }

    /// Whether the case is a program; otherwise it is a library.
    pub(crate) fn is_program(&self) -> bool {
        self.text.lines().any(|line| {
            let line = line.trim_start_matches("pub ").trim_start_matches("async ");
            line.starts_with("fn main(")
        })
    }
}

impl Outcome {
    fn read(key: &str, value: &str) -> Option<Self> {
        Some(match key {
            "check-pass" => Self::Check,
            "run-pass" => Self::Run,
            "fail" => Self::Fail(Expected::read(value)?),
            "warns" => Self::Warns(value.to_owned()),
            "clippy-clean" => Self::Clippy,
            "clippy-warns" => Self::ClippyWarns(value.to_owned()),
            _ => return None,
        })
    }
}

impl Expected {
    fn read(value: &str) -> Option<Self> {
        let mut conditions = value.split(" ; ");
        let alternatives = |part: &str| part.split(" | ").map(|word| word.trim().to_lowercase()).collect();
        let words = conditions.next()?.split(" & ").map(alternatives).collect();
        let mut expected = Self { words, count: 1..=usize::MAX, at: None };
        for condition in conditions {
            match condition.trim().split_once('=')? {
                ("at", tokens) => expected.at = Some(tokens.to_owned()),
                ("n", count) => {
                    let (least, most) = count.split_once("..").unwrap_or((count, count));
                    expected.count = least.parse().ok()?..=most.parse().ok()?;
                }
                _ => return None,
            }
        }
        Some(expected)
    }
}

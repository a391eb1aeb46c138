//! Every file that holds tests or an example is a target: one without an entry in the manifest is silently none.

use std::{fs, path::Path};

/// The paths that a manifest names, and the files in its folder that should be among them, so many or more. A folder that is a
/// package has a manifest of its own.
fn check(package: &str, least: usize, is_target: impl Fn(&Path) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member has a parent").join(package);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("it is there");
    let mut found = 0;
    for entry in fs::read_dir(&folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        if path.join("Cargo.toml").exists() {
            continue;
        }
        if let Some(target) = [path.clone(), path.join("main.rs")].iter().find(|path| is_target(path)) {
            let name = target.strip_prefix(&folder).expect("it is inside").display().to_string();
            assert!(
                manifest.contains(&format!("path = \"{name}\"")),
                "{package}/Cargo.toml does not name {name}"
            );
            found += 1;
        }
    }
    assert!(found >= least, "{package} has targets");
}

#[test]
fn every_test_is_a_target() {
    check("tests", 2, |path| path.ends_with("main.rs") && path.is_file());
    check("tests/ui", 1, |path| path.ends_with("main.rs") && path.is_file());
}

#[test]
fn every_example_is_a_target() {
    check("examples", 2, |path| {
        path.extension().is_some_and(|extension| extension == "rs") && path.is_file()
    });
}

/// Chains of `let` need Rust 1.88, and the published crates promise 1.85. No lint tells, so this looks for `if` and `while`
/// whose condition has both a `let` and a `&&` outside of all parentheses.
#[test]
fn the_published_crates_have_no_let_chains() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member has a parent");
    let mut folders = vec![root.join("windowlimit/src"), root.join("windowlimit-macros/src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("it is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).expect("it is text");
                assert_eq!(let_chain(&source), None, "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 40, "{files} files");
    assert!(
        let_chain("if a && let Some(b) = c {").is_some()
            && let_chain("if let A = b.f(|c| c && d) {").is_none()
    );
}

/// The first condition that is one.
fn let_chain(source: &str) -> Option<&str> {
    let starts = ["if ", "while "].into_iter().flat_map(|word| source.match_indices(word));
    starts.map(|(start, _)| condition(&source[start..])).find(|condition| {
        let mut depth = 0_i32;
        let outside: String = condition
            .chars()
            .filter(|c| {
                depth += i32::from("([".contains(*c)) - i32::from(")]".contains(*c));
                depth == 0
            })
            .collect();
        outside.contains("let ") && outside.contains("&&")
    })
}

/// Up to the block behind it, or to the end of a statement that it is no condition of.
fn condition(source: &str) -> &str {
    source.split_once(['{', ';']).map_or(source, |(condition, _)| condition)
}

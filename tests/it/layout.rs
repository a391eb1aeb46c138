//! Every file that holds tests or an example is a target: one without an entry in the manifest is silently none.

use std::{fs, path::Path};

/// The paths that a manifest names, and the files in its folder that should be among them.
fn check(package: &str, is_target: impl Fn(&Path) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member has a parent").join(package);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("it is there");
    let mut found = 0;
    for entry in fs::read_dir(&folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        if let Some(target) = [path.clone(), path.join("main.rs")].iter().find(|path| is_target(path)) {
            let name = target.strip_prefix(&folder).expect("it is inside").display().to_string();
            assert!(
                manifest.contains(&format!("path = \"{name}\"")),
                "{package}/Cargo.toml does not name {name}"
            );
            found += 1;
        }
    }
    assert!(found > 1, "{package} has targets");
}

#[test]
fn every_test_is_a_target() {
    check("tests", |path| path.ends_with("main.rs") && path.is_file());
}

#[test]
fn every_example_is_a_target() {
    check("examples", |path| path.extension().is_some_and(|extension| extension == "rs") && path.is_file());
}

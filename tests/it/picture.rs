//! The picture in the README is the one that its example draws.

use std::{fs, path::Path, process::Command};

#[test]
fn committed_picture_is_what_the_example_draws() {
    let examples =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member has a parent").join("examples");
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join("windows.svg");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--example", "windows", "--manifest-path"])
        .arg(examples.join("Cargo.toml"))
        .arg("--")
        .arg(&drawn)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let [drawn, committed] =
        [drawn, examples.join("windows.svg")].map(|path| fs::read(path).expect("it is there"));
    // Not `assert_eq`, which would print both.
    assert!(
        drawn == committed,
        "`cargo run --example windows` draws another picture than examples/windows.svg: look at it, then commit it"
    );
}

//! What the compiler says about every mistake one can make with the attribute, word for word.
//!
//! `fail/` has one file for each mistake, named after it, and what was said about it; `pass/` has what is nearly the
//! same and right. The words are those of one compiler: with another one the test says so and does nothing.
//! `TRYBUILD=overwrite` records them anew; read each as somebody would who sees it for the first time.

use std::process::Command;

/// The compiler whose words were recorded.
const RECORDED_WITH: &str = "rustc 1.95.";

#[test]
fn every_mistake_is_explained() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("the compiler tells its version");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    if !version.starts_with(RECORDED_WITH) {
        println!("SKIPPED: the messages were recorded with {RECORDED_WITH}x, and this is {}", version.trim());
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
}

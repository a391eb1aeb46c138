//! Tells the test whether this is the compiler whose messages are recorded.

use std::{env, process::Command};

/// The compiler whose words were recorded.
const RECORDED_WITH: &str = "rustc 1.95.";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(recorded_toolchain)");
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    let version = Command::new(rustc).arg("--version").output().expect("the compiler tells its version");
    if version.stdout.starts_with(RECORDED_WITH.as_bytes()) {
        println!("cargo::rustc-cfg=recorded_toolchain");
    }
}

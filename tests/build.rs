//! Tells the tests whether there is a browser.

use std::{env, path::Path};

/// `CHROMIUM` says where it is, or else it is looked for by its usual names.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CHROMIUM");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rustc-check-cfg=cfg(chromium)");
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::var_os("CHROMIUM").map(Into::into).or_else(|| {
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        let mut places = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
        places.find(|place| place.is_file())
    });
    if let Some(found) = found.filter(|found| Path::is_file(found)) {
        println!("cargo::rustc-cfg=chromium");
        println!("cargo::rustc-env=CHROMIUM={}", found.display());
    }
}

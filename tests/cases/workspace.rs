//! A workspace under the target folder, with one package for each case, and what cargo says about them.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{case::Case, diagnostic::Diagnostic};

/// What cases may depend on; `renamed` is windowlimit, under that name alone.
const DEPENDENCIES: [(&str, &str); 10] = [
    ("windowlimit", r#"{ path = "WINDOWLIMIT" }"#),
    ("async-trait", r#""0.1""#),
    ("async-recursion", r#""1""#),
    ("futures", r#"{ version = "0.3", default-features = false, features = ["std", "executor"] }"#),
    ("tokio", r#"{ version = "1", features = ["rt", "macros"] }"#),
    ("tracing", r#""0.1""#),
    ("actix-web", r#"{ version = "4", default-features = false, features = ["macros"] }"#),
    ("axum", r#"{ version = "0.8", default-features = false, features = ["macros"] }"#),
    ("rocket", r#"{ version = "0.5", default-features = false }"#),
    ("renamed", r#"{ package = "windowlimit", path = "WINDOWLIMIT" }"#),
];

pub(crate) struct Workspace {
    root: PathBuf,
}

/// What became of one package.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Something came out: the package compiled.
    pub(crate) built: bool,
    pub(crate) executable: Option<PathBuf>,
}

impl Workspace {
    /// Writes the packages. The lock file is that of the project, so that nothing has to be fetched twice.
    pub(crate) fn write<'c>(name: &str, cases: impl IntoIterator<Item = &'c Case>) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a member");
        let windowlimit = project.join("windowlimit");
        let mut members = Vec::new();
        for case in cases {
            let package = root.join(&case.name);
            let file = if case.is_program() { "main.rs" } else { "lib.rs" };
            let other = if case.is_program() { "lib.rs" } else { "main.rs" };
            write(&package.join("Cargo.toml"), &manifest(case, &windowlimit.display().to_string()));
            write(&package.join("src").join(file), &case.text);
            let _ = fs::remove_file(package.join("src").join(other));
            members.push(format!("{:?}", case.name));
        }
        let members = members.join(", ");
        write(&root.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n"));
        if !root.join("Cargo.lock").exists() {
            // Without one cargo resolves anew.
            let _ = fs::copy(project.join("Cargo.lock"), root.join("Cargo.lock"));
        }
        Self { root }
    }

    /// Runs one cargo command for these packages; a report for each.
    pub(crate) fn cargo(&self, command: &str, packages: &[&str]) -> HashMap<String, Report> {
        let mut reports: HashMap<String, Report> =
            packages.iter().map(|name| ((*name).to_owned(), Report::default())).collect();
        if packages.is_empty() {
            return reports;
        }
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root).args([command, "--keep-going", "--message-format", "json"]);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target"));
        for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"] {
            cargo.env_remove(variable);
        }
        for package in packages {
            cargo.args(["-p", package]);
        }
        let output = cargo.stdin(Stdio::null()).output().expect("cargo can be started");
        for line in output.stdout.split(|byte| *byte == b'\n') {
            let Ok(message) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            let package = package_of(&message);
            if let Some(report) = package.and_then(|name| reports.get_mut(name)) {
                report.take(&message);
            }
        }
        assert!(
            reports.values().any(|report| report.built || !report.diagnostics.is_empty()),
            "cargo {command} did not get to the cases:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        reports
    }
}

impl Report {
    fn take(&mut self, message: &Value) {
        match message["reason"].as_str() {
            Some("compiler-message") => self.diagnostics.extend(Diagnostic::read(&message["message"])),
            Some("compiler-artifact") => {
                self.built = true;
                self.executable =
                    message["executable"].as_str().map(PathBuf::from).or(self.executable.take());
            }
            _ => {}
        }
    }
}

/// The package that a message is about: its folder, which is the last part of the id before the version.
fn package_of(message: &Value) -> Option<&str> {
    let id = message["package_id"].as_str()?;
    let path = id.split('#').next()?;
    path.rsplit(['/', '\\']).next()
}

fn manifest(case: &Case, windowlimit: &str) -> String {
    let implied = (!case.deps.iter().any(|name| name == "renamed")).then(|| "windowlimit".to_owned());
    let dependencies = implied.iter().chain(&case.deps).map(|name| {
        let known = DEPENDENCIES.iter().find(|(known, _)| known == name);
        let (_, source) = known.unwrap_or_else(|| panic!("{}: unknown dependency {name}", case.name));
        format!("{name} = {}\n", source.replace("\"WINDOWLIMIT\"", &format!("{windowlimit:?}")))
    });
    format!(
        "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = {:?}\n\n[dependencies]\n{}",
        case.name,
        case.edition,
        dependencies.collect::<String>(),
    )
}

/// Writes a file, but leaves one alone that is already so, for which cargo then need not do anything.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

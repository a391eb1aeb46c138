//! From cases to failures: each group by its cargo command, then the programs.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    case::{Case, Expected, Outcome},
    diagnostic::Diagnostic,
    workspace::{Report, Workspace},
};

/// Long enough for a machine under load: the programs themselves take milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(90);

/// What is wrong, for each case that has not its outcome.
pub(crate) fn run(cases: &[Case]) -> Vec<String> {
    let workspace = Workspace::write("cases", cases);
    let mut failures = Vec::new();
    for command in ["check", "clippy", "build"] {
        let group: Vec<&Case> = cases.iter().filter(|case| command_of(&case.outcome) == command).collect();
        let names: Vec<&str> = group.iter().map(|case| case.name.as_str()).collect();
        let reports = workspace.cargo(command, &names);
        for case in group {
            let report = &reports[&case.name];
            if let Err(problem) = judge(case, report) {
                let said = report.diagnostics.iter().map(|diagnostic| diagnostic.rendered.as_str());
                failures.push(format!("{}: {problem}\n{}", case.name, said.collect::<String>()));
            }
        }
    }
    failures
}

fn command_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Check | Outcome::Fail(_) | Outcome::Warns(_) => "check",
        Outcome::Clippy | Outcome::ClippyWarns(_) => "clippy",
        Outcome::Run => "build",
    }
}

fn judge(case: &Case, report: &Report) -> Result<(), String> {
    if report.diagnostics.iter().any(Diagnostic::is_macro_panic) {
        return Err("the macro panicked".to_owned());
    }
    if !report.built && report.diagnostics.is_empty() {
        return Err("nothing was built and nothing was said".to_owned());
    }
    match &case.outcome {
        Outcome::Check | Outcome::Clippy => is_quiet(report),
        Outcome::Run => {
            is_quiet(report)?;
            let program =
                report.executable.as_deref().ok_or("there is no program: `fn main` was not found")?;
            succeeds(program)
        }
        Outcome::Warns(lint) | Outcome::ClippyWarns(lint) => warns_only(report, lint),
        Outcome::Fail(expected) => fails(report, expected),
    }
}

fn is_quiet(report: &Report) -> Result<(), String> {
    match report.diagnostics.len() {
        0 if report.built => Ok(()),
        0 => Err("it was not built".to_owned()),
        count => Err(format!("{count} diagnostics, where none may be")),
    }
}

fn warns_only(report: &Report, lint: &str) -> Result<(), String> {
    match report.diagnostics.as_slice() {
        [only] if only.code == lint && report.built => Ok(()),
        others => Err(format!("`{lint}` was to be the only diagnostic of {}", others.len())),
    }
}

fn fails(report: &Report, expected: &Expected) -> Result<(), String> {
    let errors: Vec<&Diagnostic> =
        report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error).collect();
    if errors.is_empty() {
        return Err("it compiles".to_owned());
    }
    if !expected.count.contains(&errors.len()) {
        return Err(format!("{} errors instead of {:?}", errors.len(), expected.count));
    }
    let mut found = errors.iter().filter(|error| error.says(&expected.words)).peekable();
    if found.peek().is_none() {
        return Err(format!("no error says {:?}", expected.words));
    }
    match &expected.at {
        Some(tokens) if !found.clone().any(|error| error.covers(tokens)) => {
            let places: Vec<&str> = found.map(|error| error.covered()).collect();
            Err(format!("the error is at {places:?} instead of {tokens:?}"))
        }
        _ => Ok(()),
    }
}

/// Runs a program, which must exit with 0 in time.
fn succeeds(program: &Path) -> Result<(), String> {
    let mut child = Command::new(program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("it does not start: {error}"))?;
    if !ends_in_time(&mut child) {
        let _ = child.kill();
        return Err(format!("it runs for more than {TIME_LIMIT:?}"));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("it ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}

fn ends_in_time(child: &mut Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < TIME_LIMIT {
        if let Ok(Some(_)) = child.try_wait() {
            return true;
        }
        thread::sleep(Duration::from_millis(2));
    }
    false
}

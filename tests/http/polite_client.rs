//! Forty tasks, one function, and an API that bans.

use crate::service::run;

/// With so much time to spare that no scheduler gets it banned.
#[test]
fn forty_tasks_are_not_banned() {
    let output =
        run("polite_client", "").envs([("REQUESTS", "25"), ("MARGIN_MS", "1500")]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.starts_with("40 tasks make 25 requests of http://127.0.0.1:"), "{said}");
    assert!(said.contains("\nnot banned: true\ntook "), "{said}");
}

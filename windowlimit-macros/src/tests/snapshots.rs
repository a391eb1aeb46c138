//! Twenty-one expansions as text. `WINDOWLIMIT_SNAPSHOTS=overwrite` writes them anew; read the difference before it is kept.

use std::{fs, path::Path};

use super::expanded;

/// Compares an expansion with the file of this name.
fn check(name: &str, args: &str, item: &str) {
    let file =
        syn::parse2(expanded(args, item)).unwrap_or_else(|error| panic!("{name} is not Rust: {error}"));
    let made = format!("// #[window_rate_limit({args})]\n// {item}\n{}", prettyplease::unparse(&file));
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/snapshots").join(name).with_extension("rs");
    if std::env::var_os("WINDOWLIMIT_SNAPSHOTS").is_some_and(|mode| mode == "overwrite") {
        fs::write(&path, &made).expect("a snapshot can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(made, kept, "the expansion of {name} is not what it was");
}

#[test]
fn plain() {
    check("plain", "limit = 5, window_ms = 60000", "pub fn f(n: u32) -> Result<u32, E> { Ok(n) }");
}

#[test]
fn asynchronous() {
    check(
        "asynchronous",
        "limit = 5, window = \"1m\", fallback = cached(&key).await",
        "async fn f(key: String) -> String { load(key).await }",
    );
}

#[test]
fn run_time_values() {
    check(
        "run_time_values",
        "limit = config().calls, window = WINDOW, name = \"f\"",
        "fn f() -> Option<u32> { Some(1) }",
    );
}

#[test]
fn several_limits() {
    check(
        "several_limits",
        "limits = [(10, \"1s\"), (100, \"1m\")], error = |refusal| Fault::Busy(refusal)",
        "fn f() -> Result<u32, Fault> { Ok(1) }",
    );
}

#[test]
fn shared_limiter() {
    check(
        "shared_limiter",
        "limiter = self.limiter, skip_if = self.free, permit = permit",
        "fn f(&self) -> Result<u32, E> { Ok(permit.remaining()) }",
    );
}

#[test]
fn cost_of_a_call() {
    check(
        "cost_of_a_call",
        "limit = 100, window = \"1m\", algorithm = segmented(60), skip_if = rows.is_empty(), cost = rows.len() as u32",
        "fn f(rows: &[Row]) -> Option<u32> { Some(1) }",
    );
}

#[test]
fn algorithm_at_run_time() {
    check(
        "algorithm_at_run_time",
        "limit = 100, window = \"1m\", algorithm = segmented(config().segments), cost = 2, permit = permit",
        "fn f() -> Option<u32> { Some(permit.cost()) }",
    );
}

#[test]
fn key_of_a_call() {
    check(
        "key_of_a_call",
        "limit = 5, window = \"1m\", key = (user.id, action), max_keys = 1000",
        "fn f(user: &User, action: String) -> Option<String> { Some(action) }",
    );
}

#[test]
fn limit_for_a_call() {
    check(
        "limit_for_a_call",
        "key = user, limit_for = self.plan(user), window = \"1h\", cost = rows.len() as u32, skip_if = user.is_empty(), permit = permit",
        "async fn f(&self, user: String, rows: Vec<Row>) -> Result<u32, E> { Ok(permit.remaining()) }",
    );
}

#[test]
fn shared_keyed_limiter() {
    check(
        "shared_keyed_limiter",
        "limiter = self.limiter, key = *self.tenant, cost = 2",
        "fn f(&self) -> Result<u32, E> { Ok(1) }",
    );
}

#[test]
fn wait_blocking() {
    check(
        "wait_blocking",
        "limit = 5, window_ms = 60000, wait",
        "pub fn f(n: u32) -> Result<u32, E> { Ok(n) }",
    );
}

#[test]
fn shared_window() {
    check(
        "shared_window",
        "limit = 5, window = \"1m\", store = &REDIS, name = \"login\", on_store_error = deny",
        "fn f() -> Result<u32, E> { Ok(1) }",
    );
}

#[test]
fn wait_async() {
    check(
        "wait_async",
        "limit = 5, window = \"1m\", max_wait = \"2s\", max_waiters = 100, fallback = cached(&key).await",
        "async fn f(key: String) -> String { load(key).await }",
    );
}

#[test]
fn wait_for_the_turn_of_a_key() {
    check(
        "wait_for_the_turn_of_a_key",
        "limit = 5, window = \"1m\", wait, max_waiters = config().waiters, key = (user.id, action), cost = rows.len() as u32",
        "async fn f(user: &User, action: String, rows: Vec<Row>) -> Option<String> { Some(action) }",
    );
}

#[test]
fn wait_by_the_limit_of_a_call() {
    check(
        "wait_by_the_limit_of_a_call",
        "key = user, limit_for = self.plan(user), window = \"1h\", wait, skip_if = user.is_empty(), permit = permit",
        "fn f<'a>(&'a self, user: String) -> BoxFuture<'a, Result<u32, E>> { Box::pin(async move { Ok(permit.remaining()) }) }",
    );
}

#[test]
fn wait_for_a_shared_limiter() {
    check(
        "wait_for_a_shared_limiter",
        "limiter = self.limiter, max_wait_ms = 500, skip_if = self.free",
        "async fn f(&self) -> Result<u32, E> { Ok(1) }",
    );
}

#[test]
fn shared_window_of_a_key() {
    check(
        "shared_window_of_a_key",
        "key = (user.id, action), limit_for = user.plan, window = \"1h\", store = REDIS, name = \"act\", cost = rows.len() as u32, permit = permit, algorithm = fixed, skip_if = user.is_admin",
        "async fn f(user: User, action: String, rows: Vec<Row>) -> Result<u32, E> { Ok(permit.remaining()) }",
    );
}

#[test]
fn wait_for_a_shared_window() {
    check(
        "wait_for_a_shared_window",
        "limit = 5, window = \"1m\", key = user, store = &REDIS, name = \"login\", max_wait = \"2s\"",
        "async fn f(user: &str) -> Result<u32, E> { Ok(1) }",
    );
}

#[test]
fn boxed_future() {
    check(
        "boxed_future",
        "limit = 5, window = \"1m\"",
        "fn f<'a>(s: &'a str) -> BoxFuture<'a, Result<usize, E>> { let n = s.len(); Box::pin(async move { Ok(n) }) }",
    );
}

#[test]
fn impl_block() {
    check(
        "impl_block",
        "limit = 5, window = \"1m\"",
        "impl<T> Trait for S<T> { const N: u32 = 1; #[inline] fn f(&self) -> Option<u32> { Some(1) } #[window_rate_limit(skip)] fn g(&self) {} }",
    );
}

#[test]
fn hidden_types_and_inner_attributes() {
    check(
        "hidden_types_and_inner_attributes",
        "limit = 5, window = \"1m\"",
        "fn f() -> Result<(impl Fn() -> u8, Vec<impl Copy + Send>), E> { #![allow(unused)] todo!() }",
    );
}

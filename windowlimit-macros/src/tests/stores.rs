//! What `store` and `on_store_error` take, and what they make of it.

use super::{errors, expanded, flat};

/// The one error of an attribute with these arguments; an empty text without one.
fn error(args: &str) -> String {
    let found = errors(expanded(args, "fn f<T>(&self, user: &User) -> Result<u32, Error> { Ok(1) }"));
    assert!(found.len() <= 1, "{args}: {found:?}");
    found.into_iter().next().unwrap_or_default()
}

fn made(args: &str, item: &str) -> String {
    let args = format!("{args}, store = REDIS, name = \"f\"");
    let tokens = expanded(&args, item);
    assert_eq!(errors(tokens.clone()), [""; 0], "{args}");
    tokens.to_string()
}

const PLAIN: &str = "fn f(user: &User) -> Result<u32, Error> { Ok(1) }";
const ASYNC: &str = "async fn f(user: &User) -> Result<u32, Error> { Ok(1) }";
const BOXED: &str = "fn f(user: &User) -> BoxFuture<'_, Option<u32>> { Box::pin(async move { Some(1) }) }";

#[test]
fn only_what_can_await_awaits() {
    for (item, is_async) in [(PLAIN, false), (ASYNC, true), (BOXED, true)] {
        for (args, function) in [("", "check_call"), (", permit = p", "admit_call")] {
            let made = made(&format!("limit = 5, window = \"1m\"{args}"), item);
            let call = if is_async { "_async (__windowlimit_call) . await" } else { " (__windowlimit_call)" };
            assert!(made.contains(&format!("{function}{call}")), "{made}");
            assert_eq!(made.contains(". await"), is_async, "{made}");
        }
    }
}

#[test]
fn a_call_that_waits_has_its_turn_in_every_kind_of_function() {
    const CALL: &str = "__windowlimit :: wait_call (__windowlimit_call , ";
    for (item, taken) in [(PLAIN, ". blocking ()"), (ASYNC, ". await"), (BOXED, ". await")] {
        for args in ["wait", "max_wait = \"2s\", max_waiters = 3", "max_wait_ms = 5", "max_wait = PATIENCE"] {
            let args = format!("limit = 5, window = \"1m\", {args}");
            for (more, answer) in [
                ("", "refused (__windowlimit :: wait_call"),
                (", permit = p", "match __windowlimit :: wait_call"),
                (", key = (user, 1), cost = user.cost", "shared_call (& __WINDOWLIMIT , __windowlimit_key"),
            ] {
                let made = made(&format!("{args}{more}"), item);
                assert_eq!(made.matches(CALL).count(), 1, "{made}");
                assert_eq!(made.matches(taken).count(), 1, "{made}");
                assert_eq!(made.contains(". await"), taken == ". await", "{made}");
                assert!(made.contains(answer) && !made.contains("check_call"), "{made}");
                assert_eq!(made.contains("__WINDOWLIMIT_WAITING"), args.contains("PATIENCE"), "{made}");
            }
        }
    }
}

#[test]
fn what_the_key_borrows_from_is_let_go_before_the_wait() {
    let made = made(
        "window = \"1m\", key = user.id, limit_for = user.limit, cost = user.cost, max_wait_ms = 5",
        ASYNC,
    );
    let places =
        ["user . id", "user . limit", "user . cost", "shared_call_for (", "} } ;", "wait_call (", ". await"]
            .map(|text| made.find(text).expect("each is there"));
    assert!(places.is_sorted(), "{made}");
}

#[test]
fn every_argument_reaches_the_limiter() {
    for (args, expected) in [
        (
            "limit = 5, window = \"1m\"",
            "shared (& REDIS , \"f\") , [__windowlimit :: nanos (5 , 60000000000)]",
        ),
        (
            "limits = [(1, \"1s\"), (N, \"1m\")]",
            "[__windowlimit :: nanos (1 , 1000000000) , __windowlimit :: nanos (N",
        ),
        ("limits = LIMITS", "shared_limiter (__windowlimit :: shared (& REDIS , \"f\") , LIMITS)"),
        ("window = W, key = user.id, limit_for = user.plan", "shared_limiter_for (__windowlimit :: shared"),
        (
            "limit = 5, window = \"1m\", algorithm = fixed",
            ". algorithm (__windowlimit :: Algorithm :: Fixed)",
        ),
        ("limit = 5, window = \"1m\", key = user, max_keys = 10", ". max_keys (10)"),
        ("limit = 5, window = \"1m\", on_store_error = deny", "OnStoreError :: Deny"),
        ("limit = 5, window = \"1m\", on_store_error = allow", "OnStoreError :: Allow"),
        ("limit = 5, window = \"1m\"", "shared_call (& __WINDOWLIMIT , & () , 1)"),
        ("limit = 5, window = \"1m\", key = (user, 1)", "store_key (& (& user , & 1 ,))"),
        ("limit = 5, window = \"1m\", cost = user.cost", "__windowlimit_cost)"),
        ("limit = 5, window = \"1m\", skip_if = true, permit = p", "uncounted_shared (& __WINDOWLIMIT)"),
    ] {
        let made = made(args, PLAIN);
        assert!(made.contains(expected), "{args}: {made}");
    }
    let local = made("limit = 5, window = \"1m\", on_store_error = local", PLAIN);
    assert!(!local.contains("OnStoreError"), "{local}");
}

#[test]
fn what_is_evaluated_stands_in_its_order() {
    let args =
        "cost = user.cost, limit_for = user.limit, key = user.id, skip_if = user.free, window = \"1m\"";
    for args in [args.to_owned(), format!("{args}, permit = p")] {
        let made = made(&args, ASYNC);
        let places =
            ["user . free", "user . id", "user . limit", "user . cost", "shared_call_for (", ". await"]
                .map(|text| made.find(text).expect("each is there"));
        assert!(places.is_sorted(), "{made}");
    }
}

#[test]
fn nothing_is_doubled() {
    for args in [
        "limit = 5, window = \"1m\", store = S, name = \"f\", max_wait = very::long(a, b), permit = p, skip_if = s",
        "limit = 5, window = \"1m\", store = S, name = \"f\", key = very::long(a, b), wait, cost = c",
        "limit = 5, window = \"1m\", store = very::long(a, b), name = \"f\"",
        "limit = 5, window = \"1m\", key = very::long(a, b), store = S, name = \"f\", permit = p, skip_if = s",
        "window = \"1m\", key = x, limit_for = very::long(a, b), store = S, name = \"f\", cost = c",
    ] {
        let made = flat(expanded(args, ASYNC));
        assert_eq!(made.iter().filter(|token| token.to_string() == "very").count(), 1, "{args}");
    }
}

#[test]
fn what_goes_together_is_told() {
    let found = error("limit = 5, window = \"1m\", store = REDIS");
    assert!(found.starts_with("`store` needs `name`"), "{found}");
    let found = error("limit = 5, window = \"1m\", name = \"f\", on_store_error = deny");
    assert!(found.starts_with("`on_store_error` needs `store`"), "{found}");
    for args in
        ["limiter = L, store = REDIS", "store = REDIS, limiter = L", "limiter = L, on_store_error = deny"]
    {
        assert!(error(args).contains("cannot be combined"), "{args}");
    }
    // It may be there, but nobody can tell.
    assert!(error("limit = 5, window = \"1m\", store = REDIS, 7").starts_with("expected `name"));
}

#[test]
fn what_is_no_store_is_told_what_is() {
    for (value, end) in [("\"redis://\"", "a text"), ("5", "a whole number"), ("|| REDIS", "a closure")] {
        let found = error(&format!("limit = 5, window = \"1m\", name = \"f\", store = {value}"));
        assert!(found.starts_with("`store` takes a `RedisStore`") && found.ends_with(end), "{found}");
    }
    for (value, culprit) in [("self.store", "`self`"), ("user.store", "`user`"), ("T::STORE", "`T`")] {
        let found = error(&format!("limit = 5, window = \"1m\", name = \"f\", store = {value}"));
        assert!(found.starts_with(culprit) && found.contains("a store is a `static`"), "{found}");
    }
}

#[test]
fn what_is_no_policy_is_told_what_is() {
    for (value, start) in [
        ("Deny", "unknown word `Deny`; did you mean `deny`?"),
        ("lokal", "unknown word `lokal`; did you mean `local`?"),
        ("panic", "unknown word `panic` (known are"),
        ("\"deny\"", "`on_store_error` takes a word, not a text"),
        ("OnStoreError::Deny", "`on_store_error` takes a word, not an expression"),
        ("|error| 1", "`on_store_error` takes a word, not a closure"),
    ] {
        let found = error(&format!(
            "limit = 5, window = \"1m\", name = \"f\", store = REDIS, on_store_error = {value}"
        ));
        assert!(found.starts_with(start), "{value}: {found}");
    }
}

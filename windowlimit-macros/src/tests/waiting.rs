//! What `wait`, `max_wait`, `max_wait_ms` and `max_waiters` take, and what they make of it.

use super::{errors, expanded, flat};

const ITEM: &str = "fn f<T>(&self, user: &User, patience: Duration) -> Result<u32, Error> { Ok(1) }";

/// The one error of an attribute with these arguments; an empty text without one.
fn error(args: &str) -> String {
    let found = errors(expanded(&format!("limit = 5, window = \"1m\", {args}"), ITEM));
    assert!(found.len() <= 1, "{args}: {found:?}");
    found.into_iter().next().unwrap_or_default()
}

fn made_of(args: &str, item: &str) -> String {
    let made = expanded(args, item);
    assert_eq!(errors(made.clone()), [""; 0], "{args}");
    made.to_string()
}

fn made(args: &str) -> String {
    made_of(&format!("limit = 5, window = \"1m\", {args}"), ITEM)
}

#[test]
fn every_way_to_wait_is_understood() {
    for (args, expected) in [
        ("wait", "waiting (__windowlimit :: None , __windowlimit :: None)"),
        (
            "max_wait = \"1m30s\"",
            "waiting (__windowlimit :: wait_nanos (90000000000) , __windowlimit :: None)",
        ),
        ("wait, max_wait = (\"250ms\")", "waiting (__windowlimit :: wait_nanos (250000000) ,"),
        ("max_wait_ms = 2_000u64", "waiting (__windowlimit :: wait_millis (2000) , __windowlimit :: None)"),
        ("max_wait_ms = 18446744073709551615", "wait_millis (18446744073709551615)"),
        ("max_wait = PATIENCE", "waiting (__windowlimit :: wait_span (PATIENCE) , __windowlimit :: None)"),
        ("max_wait = Duration::from_secs(2)", "wait_span (Duration :: from_secs (2))"),
        ("max_wait_ms = MILLIS + 1", "wait_millis (MILLIS + 1)"),
        ("wait, max_waiters = 100", "waiting (__windowlimit :: None , __windowlimit :: waiters (100))"),
        ("max_waiters = 4294967295u32, wait", "waiters (4294967295)"),
        (
            "max_wait = \"2s\", max_waiters = MOST",
            "wait_nanos (2000000000) , __windowlimit :: waiters (MOST))",
        ),
    ] {
        let made = made(args);
        assert!(made.contains(expected), "{args}: {made}");
        let at_run_time = ["PATIENCE", "Duration", "MILLIS", "MOST"].iter().any(|word| args.contains(word));
        let lazy = "static __WINDOWLIMIT_WAITING : __windowlimit :: Lazy < __windowlimit :: Waiting >";
        assert_eq!(made.contains(lazy), at_run_time, "{args}: {made}");
        assert_eq!(made.contains(", * __WINDOWLIMIT_WAITING)"), at_run_time, "{args}: {made}");
        assert_eq!(made.matches("waiting (").count(), 1, "{args}: {made}");
    }
}

#[test]
fn the_body_decides_how_a_call_waits() {
    for (item, asynchronous) in [
        (ITEM, false),
        ("unsafe extern \"C\" fn f() -> Option<u8> { None }", false),
        ("fn f() -> Option<impl Future> { let f = async { 1 }; Some(f) }", false),
        ("async fn f() -> Option<u8> { None }", true),
        ("pub(crate) async unsafe fn f() -> Option<u8> { None }", true),
        ("fn f() -> impl Future<Output = Option<u8>> { async { None } }", true),
        ("fn f() -> BoxFuture<'static, Option<u8>> { let n = 1; Box::pin(async move { Some(n) }) }", true),
        ("fn f() -> Alias { return async move { None }.boxed(); }", true),
    ] {
        for args in ["wait", "wait, permit = p", "wait, key = k", "wait, key = k, cost = n, permit = p"] {
            let made = made_of(&format!("limit = 5, window = \"1m\", {args}"), item);
            assert_eq!(
                made.matches(". await").count(),
                usize::from(asynchronous),
                "{args} on {item}: {made}"
            );
            assert_eq!(
                made.matches(". blocking ()").count(),
                usize::from(!asynchronous),
                "{args} on {item}: {made}"
            );
        }
    }
}

#[test]
fn every_decision_has_its_turn() {
    for (args, call) in [
        ("limit = 5, window = W", "wait (& __WINDOWLIMIT , 1 , __windowlimit :: waiting"),
        ("limit = 5, window = W, cost = 2", "wait (& __WINDOWLIMIT , 2 , "),
        ("limit = 5, window = W, cost = n", "wait (& __WINDOWLIMIT , __windowlimit_cost , "),
        ("limit = 5, window = W, key = k", "wait_key (& __WINDOWLIMIT , __windowlimit :: key (& k) , 1 , "),
        (
            "limit = 5, window = W, key = k, cost = 2",
            "wait_key (& __WINDOWLIMIT , __windowlimit :: key (& k) , 2 , ",
        ),
        (
            "limit = 5, window = W, key = k, cost = n",
            "wait_key (& __WINDOWLIMIT , __windowlimit_key , __windowlimit_cost , ",
        ),
        (
            "window = W, key = k, limit_for = l",
            "wait_key_for (& __WINDOWLIMIT , __windowlimit_key , & __windowlimit_limits , 1 , ",
        ),
        (
            "window = W, key = k, limit_for = l, cost = n",
            "wait_key_for (& __WINDOWLIMIT , __windowlimit_key , & __windowlimit_limits , __windowlimit_cost , ",
        ),
    ] {
        for more in ["wait", "wait, permit = p", "wait, skip_if = s", "wait, permit = p, skip_if = s"] {
            let made = made_of(&format!("{args}, {more}"), ITEM);
            assert!(made.contains(call), "{args}, {more}: {made}");
            assert_eq!(made.contains("refused ("), !more.contains("permit"), "{args}, {more}: {made}");
        }
    }
}

#[test]
fn a_limiter_that_is_given_is_looked_through_where_no_permit_outlives_it() {
    for (args, call) in [
        ("limiter = l, wait", "wait (__windowlimit :: limiter_of (__windowlimit_limiter) , 1 , "),
        ("limiter = l, wait, permit = p", "wait (__windowlimit_limiter , 1 , "),
        (
            "limiter = l, key = k, max_wait = W",
            "wait_key (__windowlimit :: keyed_of (__windowlimit_limiter) , ",
        ),
        ("limiter = l, key = k, max_wait = W, permit = p", "wait_key (__windowlimit_limiter , "),
        ("limiter = l, wait, max_waiters = 3", "waiters (3)"),
    ] {
        let made = made_of(args, ITEM);
        assert!(made.contains(call), "{args}: {made}");
    }
}

#[test]
fn the_key_is_let_go_before_the_wait() {
    for args in
        ["key = k", "key = k, cost = n", "key = k, permit = p", "key = k, cost = n, skip_if = s, permit = p"]
    {
        let made = made_of(
            &format!("limit = 5, window = \"1m\", wait, {args}"),
            "async fn f() -> Option<u8> { None }",
        );
        let end = made
            .find("; if let")
            .or_else(|| made.find("; match __windowlimit_decision"))
            .expect("a statement");
        let places =
            [made.find("key (& k)"), Some(end), made.find(". await")].map(|at| at.expect("it is there"));
        assert!(places.is_sorted(), "{args}: {made}");
        assert!(made.contains("__windowlimit_decision . await"), "{args}: {made}");
    }
}

#[test]
fn what_is_evaluated_stands_in_its_order() {
    let args = "max_wait = PATIENCE, cost = plan.cost, limit_for = plan.limit, key = user.id, skip_if = user.free, \
                window = \"1m\", error = plan.error";
    for args in [args.to_owned(), format!("{args}, permit = p")] {
        let made = made_of(&args, ITEM);
        let places = [
            "user . free",
            "user . id",
            "plan . limit",
            "plan . cost",
            "wait_key_for (",
            ". blocking ()",
            "plan . error",
        ]
        .map(|text| made.find(text).expect("each is there"));
        assert!(places.is_sorted(), "{made}");
    }
}

#[test]
fn nothing_is_doubled() {
    for args in [
        "max_wait = very::long(a, b), max_waiters = 2",
        "max_wait_ms = 5, max_waiters = very::long(a, b), permit = p",
        "wait, cost = very::long(a, b), skip_if = s, permit = p",
        "wait, key = very::long(a, b), cost = c, skip_if = s",
    ] {
        let made = flat(expanded(&format!("limit = 5, window = \"1m\", {args}"), ITEM));
        assert_eq!(made.iter().filter(|token| token.to_string() == "very").count(), 1, "{args}");
    }
}

#[test]
fn wait_stands_alone() {
    for args in ["wait = true", "wait = \"2s\"", "wait(2)", "wait = 1 +", "wait 5"] {
        let message = error(args);
        assert!(message.starts_with("`wait` takes no value: it stands alone"), "{args}: {message}");
    }
    assert!(error("wait, wait").starts_with("`wait` is given twice"));
    assert!(error("wait = 2, max_waiters = 3").starts_with("`wait` takes no value"));
}

#[test]
fn a_bound_on_the_line_needs_a_line() {
    for args in ["max_waiters = 5", "max_waiters = MOST, permit = p"] {
        assert!(error(args).starts_with("`max_waiters` needs `wait`"), "{args}");
    }
    // They may be there, but nobody can tell.
    assert!(error("max_waiters = 5, 7").starts_with("expected `name"));
    assert!(error("max_waiters = 5, max_wait").starts_with("`max_wait` needs a value"));
    assert!(error("max_waiters = 5, max_wiat = \"2s\"").starts_with("unknown argument `max_wiat`"));
    assert_eq!(errors(expanded("limiter = l, max_waiters = 5", ITEM)).len(), 1);
    assert!(error("max_wait = \"2s\", max_wait_ms = 5").starts_with("`max_wait_ms` cannot be combined"));
}

#[test]
fn what_is_no_longest_wait_is_told_what_is() {
    const TEXT: &str = "`max_wait` takes a text such as \"250ms\", \"1m30s\" or \"1d\", or a `Duration`";
    for (value, expected) in [
        ("\"0s\"", "a wait of no time is none: write how long a call may wait, such as \"2s\"; without `wait` and `max_wait` one".to_owned()),
        ("\"\"", "not a duration: it is empty; write for example".to_owned()),
        ("\"1 fortnight\"", "not a duration: `fortnight` is no unit".to_owned()),
        ("\"10\"", "not a duration: `10` has no unit".to_owned()),
        ("\"-1s\"", "not a duration: there is no number in `-1s`".to_owned()),
        ("2s", format!("{TEXT}: write `max_wait = \"2s\"`")),
        ("2000", format!("{TEXT}, not a number without a unit; `max_wait_ms` takes milliseconds")),
        ("-2", format!("{TEXT}, not a number without a unit; `max_wait_ms` takes milliseconds")),
        ("1.5", format!("{TEXT}, not a fraction")),
        ("true", format!("{TEXT}, not a truth value")),
        ("|| 5", format!("{TEXT}, not a closure")),
    ] {
        let message = error(&format!("max_wait = {value}"));
        assert!(message.starts_with(&expected), "{value}: {message}");
    }
    for (value, found) in [
        ("-1", "a negative number"),
        ("1.5", "a fraction"),
        ("\"2s\"", "a text"),
        ("2u32", "a number of another type"),
        ("18446744073709551616", "a larger one"),
        ("|| 5", "a closure"),
    ] {
        let wanted =
            "`max_wait_ms` takes a whole number of milliseconds, a `u64` from 1 to 18446744073709551615";
        assert_eq!(error(&format!("max_wait_ms = {value}")), format!("{wanted}, not {found}"), "{value}");
    }
    let zero = "a wait of no time is none: write how long a call may wait, such as 2000; without `wait` and `max_wait_ms` one";
    assert!(error("max_wait_ms = 0").starts_with(zero));
}

#[test]
fn what_is_no_number_of_waiters_is_told_what_is() {
    for (value, found) in [
        ("-1", "a negative number"),
        ("1.5", "a fraction"),
        ("\"2\"", "a text"),
        ("2u64", "a number of another type"),
        ("4294967296", "a larger one"),
        ("|| 5", "a closure"),
    ] {
        let wanted = "`max_waiters` takes how many calls may wait, a `u32` from 1 to 4294967295";
        assert_eq!(
            error(&format!("wait, max_waiters = {value}")),
            format!("{wanted}, not {found}"),
            "{value}"
        );
    }
    for said in ["wait", "max_wait", "max_wait_ms"] {
        let given = if said == "wait" { said.to_owned() } else { format!("{said} = W") };
        let message = error(&format!("max_waiters = 0, {given}"));
        assert!(message.starts_with(&format!("nobody could wait: leave out `{said}`")), "{message}");
    }
    // Without `wait` as well, one error at each.
    assert_eq!(errors(expanded("limit = 5, window = \"1m\", max_waiters = 0", ITEM)).len(), 2);
}

#[test]
fn a_name_of_the_function_is_shown_what_sees_it() {
    for (args, ways) in [
        (
            "max_wait = patience",
            ["`patience` is a parameter", "`key = EXPR`", "`limiter = EXPR`", "`acquire_within`"],
        ),
        (
            "max_wait_ms = user.patience",
            ["`user` is a parameter", "once", "`limiter = EXPR`", "`acquire_within`"],
        ),
        (
            "max_wait = T::PATIENCE",
            ["`T` is a generic parameter", "once", "`key = EXPR`", "`acquire_within`"],
        ),
        (
            "max_wait = self.patience",
            ["`self` cannot", "once", "`limiter = self.limiter`", "`acquire_within`"],
        ),
        (
            "wait, max_waiters = self.most",
            ["`self` cannot", "once", "`key = EXPR`", "`limiter = self.limiter`"],
        ),
        (
            "wait, max_waiters = user.most",
            ["`user` is a parameter", "once", "`key = EXPR`", "`limiter = EXPR`"],
        ),
        (
            "wait, max_waiters = Self::MOST",
            ["`Self` cannot", "in `max_waiters`", "path of the type", "instead"],
        ),
    ] {
        let found = error(args);
        assert!(ways.iter().all(|way| found.contains(way)), "{args}: {found}");
    }
    assert!(!error("wait, max_waiters = user.most").contains("acquire_within"));
}

#[test]
fn a_refusal_still_needs_its_place() {
    for args in ["wait", "max_wait = \"2s\""] {
        let args = format!("limit = 5, window = \"1m\", {args}");
        let found = errors(expanded(&args, "fn f() { }"));
        assert!(
            found.len() == 1 && found[0].starts_with("a refused call of a function that returns nothing")
        );
        let found = errors(expanded(&args, "fn f() -> impl Future<Output = u8> { ready(1) }"));
        assert!(
            found.len() == 1 && found[0].starts_with("a call is counted when its future is first polled")
        );
        assert_eq!(errors(expanded(&format!("{args}, fallback = ()"), "fn f() { }")), [""; 0]);
    }
}

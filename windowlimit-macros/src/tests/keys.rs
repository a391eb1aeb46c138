//! What `key`, `max_keys` and `limit_for` take, and what they make of it.

use super::{errors, expanded, flat};

const ITEM: &str = "fn f<T>(&self, user: &User, plan: Plan) -> Result<u32, Error> { Ok(1) }";

/// The one error of an attribute with these arguments; an empty text without one.
fn error(args: &str) -> String {
    let found = errors(expanded(args, ITEM));
    assert!(found.len() <= 1, "{args}: {found:?}");
    found.into_iter().next().unwrap_or_default()
}

fn made(args: &str) -> String {
    assert_eq!(error(args), "", "{args}");
    expanded(args, ITEM).to_string()
}

/// The expansion with this key.
fn made_of_key(key: &str) -> String {
    made(&format!("limit = 5, window = \"1m\", key = {key}"))
}

#[test]
fn a_key_is_borrowed_and_the_parts_of_a_tuple_are() {
    for (key, expected) in [
        ("user", "key (& user)"),
        ("&user", "key (& & user)"),
        ("user.id", "key (& user . id)"),
        ("(user.id)", "key (& (user . id))"),
        ("a + b", "key (& (a + b))"),
        ("a as u8", "key (& (a as u8))"),
        ("*a", "key (& * a)"),
        ("\"all\"", "key (& \"all\")"),
        ("f(a, b)", "key (& f (a , b))"),
        ("if a { b } else { c }", "key (& if a { b } else { c })"),
        ("()", "key (& ())"),
        ("(a,)", "key (& (& a ,))"),
        ("(a, b + c)", "key (& (& a , & (b + c) ,))"),
        ("(((a, b)))", "key (& (& a , & b ,))"),
        ("((a, b), [c])", "key (& (& (& a , & b ,) , & [c] ,))"),
    ] {
        let made = made_of_key(key);
        assert!(made.contains(&format!("{expected})")), "{key}: {made}");
        assert!(
            made.contains("check_key (__windowlimit :: keyed (& __WINDOWLIMIT , 5 , 60000000000 , "),
            "{key}: {made}"
        );
    }
}

#[test]
fn every_source_of_a_keyed_limiter_is_made() {
    for (args, expected) in [
        ("limit = 5, window = \"1m\"", ":: keyed (& __WINDOWLIMIT , 5 , 60000000000 ,"),
        (
            "limits = [(1, \"1s\"), (5, \"1m\")]",
            ":: keyed_limiters ([__windowlimit :: nanos (1 , 1000000000) , __windowlimit :: nanos (5 ,",
        ),
        ("limits = LIMITS", ":: keyed_limiters (LIMITS ,"),
        ("limits = [(1, \"1s\"), (N, W)]", ":: keyed_limiters (["),
        ("window = \"1m\", limit_for = plan.limit", ":: keyed_for (__windowlimit :: nanos (1 , 60000000000)"),
        ("window_ms = 60000, limit_for = plan.limit", ":: keyed_for (__windowlimit :: millis (1 , 60000)"),
        ("window = W, limit_for = plan.limit", ":: keyed_for (__windowlimit :: span (1 , W)"),
        ("limit = 5, window = \"1m\", max_keys = 10", ". with_max_keys (10)"),
        ("limit = 5, window = \"1m\", max_keys = 10usize", ". with_max_keys (10)"),
        ("limit = 5, window = \"1m\", max_keys = KEYS * 2", ". with_max_keys (KEYS * 2)"),
        ("limit = 5, window = \"1m\", algorithm = fixed", "Algorithm :: Fixed)"),
    ] {
        let made = made(&format!("{args}, key = user.id"));
        assert!(made.contains(expected), "{args}: {made}");
        let is_one_of_literals = args == "limit = 5, window = \"1m\"";
        assert_eq!(made.contains("static __WINDOWLIMIT : __windowlimit :: KeyedHome ="), is_one_of_literals);
        assert_eq!(
            made.contains("Lazy < __windowlimit :: KeyedLimiter >"),
            !is_one_of_literals,
            "{args}: {made}"
        );
    }
    let shared = made("limiter = self.limiter, key = user.id");
    assert!(shared.contains("check_key (__windowlimit_limiter , "), "{shared}");
}

#[test]
fn what_is_evaluated_stands_in_its_order() {
    let args =
        "cost = plan.cost, limit_for = plan.limit, key = user.id, skip_if = user.free, window = \"1m\"";
    for args in [args.to_owned(), format!("{args}, permit = p")] {
        let made = made(&args);
        let places = ["user . free", "user . id", "plan . limit", "plan . cost", "_key_for ("]
            .map(|text| made.find(text).expect("each is there"));
        assert!(places.is_sorted(), "{made}");
    }
}

#[test]
fn nothing_is_doubled() {
    for args in [
        "limit = 5, window = \"1m\", key = very::long(a, b)",
        "limit = 5, window = \"1m\", key = (x, very::long(a, b)), skip_if = s, cost = c, permit = p",
        "window = \"1m\", key = x, limit_for = very::long(a, b), skip_if = s, cost = c, permit = p",
        "limit = 5, window = \"1m\", key = x, max_keys = very::long(a, b), permit = p",
    ] {
        let made = flat(expanded(args, ITEM));
        assert_eq!(made.iter().filter(|token| token.to_string() == "very").count(), 1, "{args}");
    }
}

#[test]
fn what_needs_a_key_is_told_so() {
    for args in ["limit = 5, window = \"1m\", max_keys = 10", "limits = LIMITS, max_keys = 0x10"] {
        assert!(error(args).starts_with("`max_keys` needs `key`"), "{args}");
    }
    assert!(error("window = \"1m\", limit_for = plan.limit").starts_with("`limit_for` needs `key`"));
    // It may be there, but nobody can tell.
    assert!(error("limit = 5, window = \"1m\", max_keys = 10, 7").starts_with("expected `name"));
    assert!(error("limit = 5, window = \"1m\", max_keys = 10, key").starts_with("`key` needs a value"));
    assert!(
        error("limit = 5, window = \"1m\", max_keys = 10, keys = 1").starts_with("unknown argument `keys`")
    );
}

#[test]
fn the_window_goes_with_limit_for() {
    let found = error("key = user.id, limit_for = plan.limit");
    assert!(found.starts_with("the window is missing: the longest one"), "{found}");
    let found = error("key = user.id, window = \"1m\"");
    assert!(found.starts_with("`limit` is missing"), "{found}");
    let found = error("key = user.id");
    assert!(found.starts_with("a limit and a window are missing"), "{found}");
}

#[test]
fn what_is_no_number_of_keys_is_told_what_is() {
    for (value, found) in [
        ("0", "zero"),
        ("-1", "a negative number"),
        ("1.5", "a fraction"),
        ("\"10\"", "a text"),
        ("10u32", "a number of another type"),
        ("18446744073709551616", "a larger one"),
        ("|| 5", "a closure"),
    ] {
        let message = error(&format!("limit = 5, window = \"1m\", key = user.id, max_keys = {value}"));
        let wanted = "`max_keys` takes how many keys are held at once, a `usize` above zero";
        assert_eq!(message, format!("{wanted}, not {found}"), "{value}");
    }
}

#[test]
fn what_is_visibly_no_limit_is_told_what_is() {
    for (value, end) in [
        ("5", "not a whole number"),
        ("\"5/m\"", "not a text"),
        ("|| plan", "not a closure"),
        ("(5, \"1m\")", "not a tuple"),
        ("[plan.limit, (5, \"1m\")]", "not a tuple"),
        ("[plan.limit, 5]", "not a whole number"),
        ("[]", "this one is empty"),
    ] {
        let found = error(&format!("key = user.id, window = \"1m\", limit_for = {value}"));
        assert!(found.starts_with("`limit_for` takes") && found.ends_with(end), "{value}: {found}");
    }
    let found = error("limit = 5, window = \"1m\", key = || user.id");
    assert!(found.ends_with("not a closure"), "{found}");
}

#[test]
fn a_name_of_the_function_is_shown_the_arguments_that_see_it() {
    for (args, ways) in [
        ("limit = plan.calls, window = \"1m\"", ["`key = EXPR`", "`limit_for = EXPR`", "`limiter = EXPR`"]),
        ("limit = 5, window = T::WINDOW", ["`key = EXPR`", "`limit_for = EXPR`", "`limiter = EXPR`"]),
        ("limit = self.calls, window = \"1m\"", ["`key = self.id`", "`limit_for = EXPR`", "self.limiter`"]),
        (
            "limit = 5, window = \"1m\", key = plan, max_keys = plan.keys",
            ["`plan`", "once", "`limiter = EXPR`"],
        ),
        ("limit = 5, window = \"1m\", key = plan, max_keys = self.keys", ["`self`", "once", "self.limiter`"]),
        (
            "limit = 5, window = \"1m\", key = plan, max_keys = T::KEYS",
            ["`T`", "generic", "`limiter = EXPR`"],
        ),
    ] {
        let found = error(args);
        assert!(ways.iter().all(|way| found.contains(way)), "{args}: {found}");
    }
    // These see everything.
    made("window = \"1m\", key = (self.id, user, T::ID), limit_for = [plan.limit, self.limit(user)]");
}

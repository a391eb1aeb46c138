//! The table of arguments beside the expansion.

use super::{errors, expanded};
use crate::args::table::{CLASHES, TABLE, Takes, distance, find, nearest};

/// The least that the argument can stand with.
fn companions(name: &str) -> &'static str {
    match name {
        "limit" => "window_ms = 60000",
        "window" | "window_ms" => "limit = 5",
        "limits" | "limiter" => "",
        "limit_for" => "key = k, window = \"1m\"",
        "max_keys" => "key = k, limit = 5, window_ms = 60000",
        "max_waiters" => "wait, limit = 5, window_ms = 60000",
        "store" => "limit = 5, window_ms = 60000, name = \"f\"",
        "on_store_error" => "limit = 5, window_ms = 60000, store = REDIS, name = \"f\"",
        _ => "limit = 5, window_ms = 60000",
    }
}

#[test]
fn the_example_of_every_argument_is_accepted_and_changes_the_expansion() {
    let item = "fn f() -> Result<u32, Error> { Ok(1) }";
    for row in TABLE {
        let Takes::Value(example) = row.takes else {
            continue;
        };
        let with = expanded(
            format!("{}, {} = {example},", companions(row.name), row.name).trim_start_matches(','),
            item,
        );
        assert_eq!(errors(with.clone()), [""; 0], "{}", row.name);
        let without = expanded("limit = 6, window_ms = 60001", item);
        // `crate = ::windowlimit` is what it is anyway.
        assert!(with.to_string() != without.to_string(), "{} has no effect", row.name);
    }
}

#[test]
fn every_clash_is_one_error_that_names_both() {
    for (a, b, _) in CLASHES {
        for (first, second) in [(a, b), (b, a)] {
            let example = |name: &str| match find(name).map(|row| row.takes) {
                Some(Takes::Value(example)) => format!("{name} = {example}"),
                _ => panic!("`{name}` has no row"),
            };
            let others = match (*a, *b) {
                ("error" | "max_wait", _) => "limit = 5, window = \"1m\"",
                ("window", "window_ms") => "limit = 5",
                ("limit_for", "limit") => "window = \"1m\", key = k",
                ("limit_for", _) | (_, "limit_for" | "max_keys") => "key = k",
                _ => "",
            };
            let args = format!("{}, {}, {others}", example(first), example(second));
            let found = errors(expanded(args.trim_end_matches(", "), "fn f() -> Option<u8> { None }"));
            assert_eq!(found.len(), 1, "{args}: {found:?}");
            assert!(
                found[0].starts_with(&format!("`{second}` cannot be combined with `{first}`")),
                "{found:?}"
            );
        }
    }
}

#[test]
fn clashes_are_of_arguments_that_there_are() {
    for (a, b, _) in CLASHES {
        assert!(find(a).is_some() && find(b).is_some(), "{a}, {b}");
    }
}

#[test]
fn one_slip_of_the_pen_is_understood() {
    for row in TABLE.iter().filter(|row| row.name.len() > 4 && row.name != "crate") {
        for at in 0..row.name.len() {
            let mut missing = row.name.to_owned();
            missing.remove(at);
            let mut wrong = row.name.to_owned();
            wrong.replace_range(at..=at, "q");
            for typo in [missing, wrong] {
                // Where two arguments are equally near it cannot be told which was meant.
                let meant = find(&typo).or_else(|| nearest(&typo)).map_or("nothing", |row| row.name);
                assert!(distance(&typo, meant) <= 1, "{typo}: {meant}");
            }
        }
    }
}

#[test]
fn what_is_nothing_like_an_argument_gets_no_guess() {
    for name in ["x", "burst", "per", "rate", "requests", "colour", "period"] {
        assert_eq!(nearest(name).map(|row| row.name), None, "{name}");
    }
}

#[test]
fn all_mistakes_come_out_at_once() {
    let found = errors(expanded(
        "limit = 0, windw = \"1 moon\", limit = 3, error = 1, fallback = 2, 7, name = \"\"",
        "const fn f() -> Result<u32, Error> { Ok(1) }",
    ));
    let expected = [
        "unknown argument `windw`; did you mean `window`?",
        "`limit` is given twice",
        "expected `name = value`",
        "`fallback` cannot be combined",
        "`limit` takes",
        "not a duration",
        "`name` is empty",
        "a `const fn`",
    ];
    for start in expected {
        assert!(found.iter().any(|message| message.starts_with(start)), "{start}: {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

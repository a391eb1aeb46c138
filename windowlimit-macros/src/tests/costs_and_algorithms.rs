//! What `cost` and `algorithm` take, and what they make of it.

use super::{errors, expanded};
use crate::args::algorithm::{LONGEST_WINDOW, MAX_SEGMENTS};

const ITEM: &str = "fn f(fixed: u8, exact: u8, segmented: u8) -> Result<u32, Error> { Ok(1) }";

/// The one error of an attribute with these arguments; an empty text without one.
fn error(args: &str) -> String {
    let found = errors(expanded(args, ITEM));
    assert!(found.len() <= 1, "{args}: {found:?}");
    found.into_iter().next().unwrap_or_default()
}

fn error_of_algorithm(value: &str) -> String {
    error(&format!("limit = 5, window = \"1h\", algorithm = {value}"))
}

#[test]
fn the_bounds_are_those_of_the_library() {
    assert_eq!(MAX_SEGMENTS, windowlimit::Algorithm::MAX_SEGMENTS);
    let longest = windowlimit::Limit::new(1, std::time::Duration::MAX).expect("it is a window").window();
    assert_eq!(u128::from(LONGEST_WINDOW), longest.as_nanos());
}

#[test]
fn exact_changes_nothing() {
    let plain = expanded("limit = 5, window_ms = 60000", ITEM).to_string();
    for value in ["exact", "(exact)"] {
        let made = expanded(&format!("limit = 5, window_ms = 60000, algorithm = {value}"), ITEM);
        assert_eq!(made.to_string(), plain, "{value}");
    }
}

#[test]
fn every_spelling_of_an_algorithm_is_understood() {
    for (value, expected) in [
        ("fixed", ":: Fixed"),
        ("(fixed)", ":: Fixed"),
        ("segmented(10)", ":: Segmented (10)"),
        ("(segmented(10,))", ":: Segmented (10)"),
        ("segmented((1_0u32))", ":: Segmented (10)"),
        ("segmented(100000)", ":: Segmented (100000)"),
        ("segmented(\"100ms\")", ":: Duration :: from_nanos (100000000)"),
        ("segmented(\"36ms\")", ":: Duration :: from_nanos (36000000)"),
        ("segmented(\"2h\")", ":: Duration :: from_nanos (7200000000000)"),
        ("segmented(SEGMENTS)", "segmented (SEGMENTS)"),
        ("segmented(a + f(1, 2))", "segmented (a + f (1 , 2))"),
    ] {
        let made = expanded(&format!("limit = 5, window = \"1h\", algorithm = {value}"), ITEM).to_string();
        assert_eq!(error_of_algorithm(value), "", "{value}");
        assert!(
            made.contains(". with_algorithm (__windowlimit ::") && made.contains(expected),
            "{value}: {made}"
        );
        assert!(made.contains("Lazy < __windowlimit :: Limiter >"), "{value}: {made}");
    }
}

#[test]
fn what_is_no_algorithm_is_told_what_there_is() {
    for (value, start) in [
        ("sliding", "unknown algorithm `sliding` (known are `exact`"),
        ("fixd", "unknown algorithm `fixd`; did you mean `fixed`?"),
        ("Exact", "unknown algorithm `Exact`; did you mean `exact`?"),
        ("segments(10)", "unknown algorithm `segments`; did you mean `segmented(10)`?"),
        ("Algorithm::Fixed", "unknown algorithm `Algorithm::Fixed`; did you mean `fixed`?"),
        (
            "Algorithm::Segmented(9)",
            "unknown algorithm `Algorithm::Segmented`; did you mean `segmented(10)`?",
        ),
        ("\"fixed\"", "`algorithm` takes a word, not a text: write `algorithm = fixed`"),
        ("\"segmented(10)\"", "`algorithm` takes a word, not a text: write `algorithm = segmented(10)`"),
        ("\"sliding\"", "`algorithm` takes a word, not a text (known are"),
        ("5", "`algorithm` takes a word, not a whole number (known are"),
        ("-5", "`algorithm` takes a word, not a negative number (known are"),
        ("|| fixed", "`algorithm` takes a word, not a closure (known are"),
        ("fixed + exact", "`algorithm` takes a word, not an expression (known are"),
        ("segmented![10]", "`algorithm` takes a word, not an expression (known are"),
        ("exact(3)", "`exact` takes nothing: write `algorithm = exact`"),
        ("fixed()", "`fixed` takes nothing: write `algorithm = fixed`"),
    ] {
        let found = error_of_algorithm(value);
        assert!(found.starts_with(start), "{value}: {found}");
    }
}

#[test]
fn what_are_no_segments_is_told_what_are() {
    for (value, end) in [
        (
            "segmented",
            "takes one value: how many segments a window has, as in `segmented(10)`, or how long one is, as in `segmented(\"100ms\")`",
        ),
        ("segmented()", "or how long one is, as in `segmented(\"100ms\")`"),
        ("segmented(1, 2)", "or how long one is, as in `segmented(\"100ms\")`"),
        ("segmented(0)", "not zero"),
        ("segmented(100001)", "not a larger one"),
        ("segmented(5000000000)", "not a larger one"),
        ("segmented(-1)", "not a negative number"),
        ("segmented(1.5)", "not a fraction"),
        ("segmented(10u64)", "not a number of another type"),
        ("segmented(true)", "not a truth value"),
        ("segmented(|| 1)", "not a closure"),
        ("segmented(100ms)", "a length is a text: write `segmented(\"100ms\")`"),
        ("segmented(1.5s)", "a length is a text: write `segmented(\"1.5s\")`"),
        ("segmented(\"0s\")", "length zero: write how long one is, such as \"100ms\""),
        ("segmented(\"1 moon\")", "write for example \"100ms\" or \"1s\""),
        (
            "segmented(\"10ms\")",
            "the window would have 360000 segments of this length, and may have 100000: write at least \"36ms\"",
        ),
        ("segmented(\"35999us\")", "write at least \"36ms\""),
        ("segmented(fixed)", "`limiter = EXPR` may take another one for each call"),
    ] {
        let found = error_of_algorithm(value);
        assert!(found.ends_with(end), "{value}: {found}");
    }
}

#[test]
fn the_longest_window_of_literals_is_divided() {
    for window in [
        "window_ms = 3600000, limit = 5",
        "window = \"1h\", limit = N",
        "limits = [(1, \"1s\"), (N, \"1h\"), LIMIT]",
    ] {
        let found = error(&format!("{window}, algorithm = segmented(\"10ms\")"));
        assert!(found.ends_with("write at least \"36ms\""), "{window}: {found}");
    }
    assert_eq!(error("limits = LIMITS, algorithm = segmented(\"1ns\")"), "");
    assert_eq!(error("limit = 5, window = W, algorithm = segmented(\"1ns\")"), "");
    // The library takes it for 292 years.
    let found = error("limit = 5, window_ms = 18446744073709551615, algorithm = segmented(\"92233s\")");
    assert!(found.ends_with("write at least \"92234s\""), "{found}");
    assert_eq!(error("limit = 5, window_ms = 18446744073709551615, algorithm = segmented(\"92234s\")"), "");
}

#[test]
fn a_cost_is_a_number_of_units() {
    for value in ["0", "1", "5", "5u32", "0x5", "(5)", "n", "n as u32", "{ 7 }", "u32::MAX"] {
        assert_eq!(error(&format!("limit = 5, window = \"1h\", cost = {value}")), "", "{value}");
    }
    for (value, found) in [
        ("-1", "a negative number"),
        ("1.5", "a fraction"),
        ("\"5\"", "a text"),
        ("5u64", "a number of another type"),
        ("4294967296", "a larger one"),
        ("true", "a truth value"),
        ("|| 5", "a closure"),
    ] {
        let message = error(&format!("limit = 5, window = \"1h\", cost = {value}"));
        let wanted = "`cost` takes a whole number of units, a `u32` from 0 to 4294967295";
        assert_eq!(message, format!("{wanted}, not {found}"), "{value}");
    }
}

#[test]
fn a_cost_above_a_limit_is_found_whatever_else_is_wrong() {
    for (args, max) in [
        ("limit = 5, window = \"1h\", cost = 6", 5),
        ("cost = 6, limit = 5u32, window = W", 5),
        ("limits = [(10, \"1s\"), (4, W), LIMIT], cost = 6", 4),
    ] {
        let message =
            format!("a call with a `cost` of 6 could never be admitted: the window holds {max} at most");
        assert_eq!(error(args), message, "{args}");
    }
    for args in [
        "limit = N, window = \"1h\", cost = 6",
        "limits = LIMITS, cost = 6",
        "limiter = L, cost = 6",
        "limits = [(6, \"1s\")], cost = 6",
    ] {
        assert_eq!(error(args), "", "{args}");
    }
    let found = errors(expanded("limit = 5, window = \"1 moon\", cost = 6", ITEM));
    assert_eq!(found.len(), 2, "{found:?}");
    // Not that it is above zero as well.
    let found = errors(expanded("limit = 0, window = \"1h\", cost = 6", ITEM));
    assert_eq!(found.len(), 1, "{found:?}");
}

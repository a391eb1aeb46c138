//! `algorithm = exact`: which window the function gets.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Lit;

use super::{
    duration,
    given::Given,
    limits::Literals,
    number::{self, Number, kind},
    table,
    value::{Shape, Value},
};
use crate::error::Errors;

/// How the function's own window counts.
pub(crate) enum Algorithm {
    Exact,
    Fixed,
    Segmented(u32),
    /// In segments of so many nanoseconds.
    SegmentedBy(u64),
    /// An expression that gives the number of segments or their length.
    AtRunTime(TokenStream),
}

/// `Algorithm::MAX_SEGMENTS` of the library, on which this crate does not depend; a test compares them.
pub(crate) const MAX_SEGMENTS: u32 = 100_000;

/// What the library takes longer windows for, about 292 years in nanoseconds.
pub(crate) const LONGEST_WINDOW: u64 = (1 << 63) - 1;

const WORDS: [&str; 3] = ["exact", "fixed", "segmented"];

const KNOWN: &str = "(known are `exact`, which slides and is the default, `segmented(10)`, `segmented(\"100ms\")` and `fixed`)";

impl Algorithm {
    /// `None` if there were errors, which have been reported.
    pub(super) fn check(given: &Given, errors: &mut Errors) -> Option<Self> {
        let Some(value) = given.value("algorithm") else {
            return Some(Self::Exact);
        };
        let Some((path, arguments)) = value.as_call() else {
            errors.at(value, no_word(value));
            return None;
        };
        let word = path.get_ident().map(ToString::to_string).unwrap_or_default();
        match (word.as_str(), arguments.as_deref()) {
            ("exact", None) => Some(Self::Exact),
            ("fixed", None) => Some(Self::Fixed),
            ("segmented", Some([segments])) => check_segments(segments, given, errors),
            ("exact" | "fixed", Some(_)) => {
                errors.at(value, format_args!("`{word}` takes nothing: write `algorithm = {word}`"));
                None
            }
            ("segmented", _) => {
                errors.at(
                    value,
                    "`segmented` takes one value: how many segments a window has, as in `segmented(10)`, or how long \
                     one is, as in `segmented(\"100ms\")`",
                );
                None
            }
            _ => {
                let guess =
                    nearest(&path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default());
                let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
                let written = path.to_token_stream().to_string().replace(' ', "");
                errors.at(value, format_args!("unknown algorithm `{written}`{guess} {KNOWN}"));
                None
            }
        }
    }
}

/// What to say about a value that is no word, with arguments or without.
fn no_word(value: &Value) -> String {
    let found = match value.shape() {
        Shape::Literal { negative: false, literal: Lit::Str(text) } => {
            let text = text.value();
            let word = text.split('(').next().unwrap_or_default().trim();
            if let Some(meant) = nearest(word) {
                return format!("`algorithm` takes a word, not a text: write `algorithm = {meant}`");
            }
            "a text"
        }
        Shape::Literal { negative: true, .. } => "a negative number",
        Shape::Literal { literal, .. } => kind(literal),
        Shape::Closure { .. } => "a closure",
        Shape::Other => "an expression",
    };
    format!("`algorithm` takes a word, not {found} {KNOWN}")
}

/// The algorithm that was probably meant by this word, as it is written.
fn nearest(word: &str) -> Option<&'static str> {
    // As the variants of the enum are spelt.
    let meant = table::nearest_of(&word.to_lowercase(), WORDS)?;
    Some(if meant == "segmented" { "segmented(10)" } else { meant })
}

/// The value in `segmented(..)`.
fn check_segments(value: &Value, given: &Given, errors: &mut Errors) -> Option<Algorithm> {
    let found = match value.shape() {
        Shape::Literal { negative: false, literal: Lit::Str(text) } => {
            return check_length(value, &text.value(), given, errors);
        }
        Shape::Literal { negative: false, literal } if has_unit(literal) => {
            errors.at(value, format_args!("a length is a text: write `segmented(\"{}\")`", text_of(literal)));
            return None;
        }
        _ => match number::read(value, "u32") {
            Ok(Number::Expression(segments)) => return Some(Algorithm::AtRunTime(segments)),
            Ok(Number::Literal(segments @ 1..=MAX_SEGMENTS)) => return Some(Algorithm::Segmented(segments)),
            Ok(Number::Literal(0)) => "zero",
            Ok(Number::Literal(_)) => "a larger one",
            Err(found) => found,
        },
    };
    errors.at(
        value,
        format_args!(
            "`segmented` takes a number of segments, a `u32` from 1 to {MAX_SEGMENTS}, or how long one is, such as \
             \"100ms\", not {found}"
        ),
    );
    None
}

/// The text in `segmented("100ms")`.
fn check_length(value: &Value, text: &str, given: &Given, errors: &mut Errors) -> Option<Algorithm> {
    match duration::parse(text) {
        Ok(0) => {
            errors.at(value, "the segments are of length zero: write how long one is, such as \"100ms\"");
            None
        }
        Ok(length) => {
            // Windows of other lengths meet their segments at run time, and are refused there.
            let window = Literals::of(given).longest_window.unwrap_or(1).min(LONGEST_WINDOW);
            let segments = window.div_ceil(length);
            if segments > u64::from(MAX_SEGMENTS) {
                let least = duration::rounded_up(window.div_ceil(u64::from(MAX_SEGMENTS)));
                errors.at(
                    value,
                    format_args!(
                        "the window would have {segments} segments of this length, and may have {MAX_SEGMENTS}: write \
                         at least \"{least}\""
                    ),
                );
            }
            Some(Algorithm::SegmentedBy(length))
        }
        Err(why) => {
            errors.at(value, format_args!("not a duration: {why}; write for example \"100ms\" or \"1s\""));
            None
        }
    }
}

/// Whether this is a duration without its quotes, such as `100ms`.
fn has_unit(literal: &Lit) -> bool {
    matches!(literal, Lit::Int(_) | Lit::Float(_)) && duration::parse(&text_of(literal)).is_ok()
}

fn text_of(literal: &Lit) -> String {
    literal.to_token_stream().to_string()
}

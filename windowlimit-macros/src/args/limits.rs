//! `limit`, `window`, `window_ms` and `limits`: the numbers of a window.
//!
//! A literal is checked here, as far as it goes. Another expression is the compiler's to check, and its value is
//! looked at when the function is first called: what is no limit then refuses every call.

use std::{fmt::Display, str::FromStr};

use syn::Lit;

use super::{
    duration,
    given::Given,
    number::{self, Number, kind},
    value::{Shape, Value},
};
use crate::error::Errors;

/// The limits of a function's own window.
pub(crate) enum Limits<'g> {
    One(Rate),
    /// `limits = [..]`, with at least one tuple among its elements.
    List(Vec<Element>),
    /// `limits = EXPR`.
    Expression(&'g Value),
    /// Those of `limit_for`, of which no window is longer.
    OfCalls(Window),
}

/// An element of `limits = [..]`.
pub(crate) enum Element {
    Rate(Rate),
    Expression(proc_macro2::TokenStream),
}

/// So many units in so long a window.
pub(crate) struct Rate {
    pub(crate) max: Number<u32>,
    pub(crate) window: Window,
}

pub(crate) enum Window {
    Millis(Number<u64>),
    /// Of a string literal.
    Nanos(u64),
    /// An expression that gives a `Duration`.
    Duration(proc_macro2::TokenStream),
}

impl Rate {
    /// Both numbers, if they are literals; the window in nanoseconds.
    pub(crate) fn literal(&self) -> Option<(u32, u64)> {
        match (&self.max, &self.window) {
            (Number::Literal(max), Window::Nanos(nanos)) => Some((*max, *nanos)),
            (Number::Literal(max), Window::Millis(Number::Literal(millis))) => {
                Some((*max, millis.saturating_mul(1_000_000)))
            }
            _ => None,
        }
    }
}

impl Window {
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self, Self::Nanos(_) | Self::Millis(Number::Literal(_)))
    }
}

/// What the literals among the limits say, for the arguments that have to go with them. Where something is wrong with
/// one of them it is reported elsewhere, and does not count.
pub(super) struct Literals {
    /// More than that never fits.
    pub(super) smallest_max: Option<u32>,
    /// In nanoseconds.
    pub(super) longest_window: Option<u64>,
}

impl Literals {
    pub(super) fn of(given: &Given) -> Self {
        let elements = given.value("limits").and_then(Value::elements).unwrap_or_default();
        let rates: Vec<_> = elements.iter().filter_map(Value::fields).collect();
        let maxima = rates.iter().filter_map(|rate| rate.first()).chain(given.value("limit"));
        let windows = rates.iter().filter_map(|rate| rate.get(1)).chain(given.value("window"));
        let millis = given.value("window_ms").and_then(|value| number::literal::<u64>(value, "u64"));
        Self {
            smallest_max: maxima
                .filter_map(|value| number::literal(value, "u32"))
                .filter(|max| *max > 0)
                .min(),
            longest_window: windows
                .filter_map(nanos)
                .chain(millis.map(|millis| millis.saturating_mul(1_000_000)))
                .max(),
        }
    }
}

/// The length of a window that is a readable text.
fn nanos(value: &Value) -> Option<u64> {
    match value.shape() {
        Shape::Literal { negative: false, literal: Lit::Str(text) } => duration::parse(&text.value()).ok(),
        _ => None,
    }
}

impl<'g> Limits<'g> {
    /// `None` if there were errors, which have been reported.
    pub(super) fn check(given: &'g Given, errors: &mut Errors) -> Option<Self> {
        let max = given.value("limit").map(|value| check_limit(value, errors));
        let millis = given.value("window_ms").map(|value| check_millis(value, errors));
        let window = given.value("window").map(|value| check_window(value, errors));
        let list = given.value("limits").map(|value| check_list(value, errors));
        report_missing(given, errors);
        if given.has("limit_for") {
            return window.or(millis)?.map(Self::OfCalls);
        }
        match (list, max, window.or(millis)) {
            (Some(list), _, _) => list,
            (None, Some(max), Some(window)) => Some(Self::One(Rate { max: max?, window: window? })),
            _ => None,
        }
    }
}

fn report_missing(given: &Given, errors: &mut Errors) {
    if given.is_garbled || given.has("limits") {
        return;
    }
    let limit = given.has("limit") || given.has("limit_for");
    let window = given.has("window") || given.has("window_ms");
    match (limit, window) {
        (true, true) => {}
        (true, false) if given.has("limit_for") => errors.at_attribute(
            "the window is missing: the longest one that a limit of `limit_for` has, such as `window = \"1h\"`",
        ),
        (false, true) => errors.at_attribute("`limit` is missing: how many calls fit into a window, such as `limit = 5`"),
        (true, false) => errors.at_attribute(
            "the window is missing: how long a call counts, such as `window_ms = 60000` or `window = \"1m\"`",
        ),
        (false, false) => errors.at_attribute(
            "a limit and a window are missing: write for example `#[window_rate_limit(limit = 5, window_ms = 60000)]`",
        ),
    }
}

fn check_limit(value: &Value, errors: &mut Errors) -> Option<Number<u32>> {
    check_number(value, "u32", "`limit` takes a whole number of calls, a `u32` from 1 to 4294967295", errors)
}

fn check_millis(value: &Value, errors: &mut Errors) -> Option<Window> {
    let wanted = "`window_ms` takes a whole number of milliseconds, a `u64` from 1 to 18446744073709551615";
    check_number(value, "u64", wanted, errors).map(Window::Millis)
}

/// A number above zero of a type that a suffix may name.
pub(super) fn check_number<T>(
    value: &Value,
    suffix: &str,
    wanted: &str,
    errors: &mut Errors,
) -> Option<Number<T>>
where
    T: FromStr<Err: Display> + PartialEq + From<u8>,
{
    let found = match number::read(value, suffix) {
        Ok(Number::Literal(number)) if number == T::from(0) => "zero",
        Ok(number) => return Some(number),
        Err(found) => found,
    };
    errors.at(value, format_args!("{wanted}, not {found}"));
    None
}

fn check_window(value: &Value, errors: &mut Errors) -> Option<Window> {
    check_length(
        value,
        "window",
        "the window is zero: write how long a call counts, such as \"1m30s\"",
        errors,
    )
}

/// A text that is read here, or an expression that gives a `Duration`. `zero` is what to say about a length of zero.
pub(super) fn check_length(value: &Value, argument: &str, zero: &str, errors: &mut Errors) -> Option<Window> {
    const WANTED: &str = "a text such as \"250ms\", \"1m30s\" or \"1d\", or a `Duration`";
    let found = match value.shape() {
        Shape::Other => return Some(Window::Duration(value.tokens().clone())),
        Shape::Literal { negative: false, literal: Lit::Str(text) } => {
            let text = text.value();
            return match duration::parse(&text) {
                Ok(0) => {
                    errors.at(value, zero);
                    None
                }
                Ok(nanos) => Some(Window::Nanos(nanos)),
                Err(why) => {
                    errors.at(
                        value,
                        format_args!(
                            "not a duration: {why}; write for example \"250ms\", \"1m30s\" or \"1d\""
                        ),
                    );
                    None
                }
            };
        }
        Shape::Closure { .. } => "a closure",
        Shape::Literal { negative: false, literal: Lit::Int(number) } if !number.suffix().is_empty() => {
            errors.at(value, format_args!("`{argument}` takes {WANTED}: write `{argument} = \"{number}\"`"));
            return None;
        }
        Shape::Literal { literal: Lit::Int(_), .. } => {
            &format!("a number without a unit; `{argument}_ms` takes milliseconds")
        }
        Shape::Literal { literal, .. } => kind(literal),
    };
    errors.at(value, format_args!("`{argument}` takes {WANTED}, not {found}"));
    None
}

fn check_list<'g>(value: &'g Value, errors: &mut Errors) -> Option<Limits<'g>> {
    const WANTED: &str =
        "`limits` takes a list of limits and windows, such as `[(10, \"1s\"), (100, \"1m\")]`";
    if let Shape::Literal { .. } | Shape::Closure { .. } = value.shape() {
        errors.at(value, WANTED);
        return None;
    }
    let Some(elements) = value.elements() else {
        return Some(Limits::Expression(value));
    };
    if elements.is_empty() {
        errors.at(value, format_args!("{WANTED}; this one is empty"));
        return None;
    }
    // All are checked before the first bad one ends it.
    let elements: Vec<_> = elements.iter().map(|element| check_element(element, errors)).collect();
    let elements = elements.into_iter().collect::<Option<Vec<_>>>()?;
    if elements.iter().any(|element| matches!(element, Element::Rate(_))) {
        Some(Limits::List(elements))
    } else {
        Some(Limits::Expression(value))
    }
}

fn check_element(element: &Value, errors: &mut Errors) -> Option<Element> {
    const WANTED: &str = "a limit is written as `(10, \"1s\")`, or is an expression that gives a `Limit`";
    if let Shape::Literal { .. } | Shape::Closure { .. } = element.shape() {
        errors.at(element, WANTED);
        return None;
    }
    let Some(fields) = element.fields() else {
        return Some(Element::Expression(element.tokens().clone()));
    };
    let [max, window] = fields.as_slice() else {
        errors.at(element, WANTED);
        return None;
    };
    let (max, window) = (check_limit(max, errors), check_window(window, errors));
    Some(Element::Rate(Rate { max: max?, window: window? }))
}

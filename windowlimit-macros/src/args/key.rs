//! `key`, `max_keys` and `limit_for`: a window for each value.

use super::{
    given::Given,
    limits::check_number,
    number::{Number, kind},
    value::{Shape, Value},
};
use crate::error::Errors;

/// What a function with keys has.
pub(crate) struct Key<'g> {
    /// Evaluated at each call.
    pub(crate) value: &'g Value,
    pub(crate) max_keys: Option<Number<u64>>,
    /// Evaluated at each call.
    pub(crate) limit_for: Option<&'g Value>,
}

impl<'g> Key<'g> {
    /// `None` if there is no key that can be used; what is wrong with one has been reported.
    pub(super) fn check(given: &'g Given, errors: &mut Errors) -> Option<Self> {
        report_missing(given, errors);
        let max_keys = given.value("max_keys").and_then(|value| {
            let wanted = "`max_keys` takes how many keys are held at once, a `usize` above zero";
            check_number(value, "usize", wanted, errors)
        });
        let limit_for = given.value("limit_for").inspect(|value| check_limits(value, errors));
        let value = given.value("key")?;
        if let Shape::Closure { .. } = value.shape() {
            errors
                .at(value, "`key` takes a value that can be hashed, such as `key = user.id`, not a closure");
        }
        Some(Self { value, max_keys, limit_for })
    }
}

/// What goes with keys only. A limiter that is given clashes with it anyway.
fn report_missing(given: &Given, errors: &mut Errors) {
    if given.is_garbled || given.has("key") || given.has("limiter") {
        return;
    }
    if let Some(name) = given.name("max_keys") {
        errors.at(name, "`max_keys` needs `key`: without one there is a single window, and no keys to hold");
    }
    if let Some(name) = given.name("limit_for") {
        errors.at(
            name,
            "`limit_for` needs `key`, such as `key = user.id`: without one all calls share one window, whose limit is \
             `limit`",
        );
    }
}

fn check_limits(value: &Value, errors: &mut Errors) {
    const WANTED: &str =
        "`limit_for` takes the `Limit` of this call or an array of them, such as `Limit::per_minute(5)`";
    if !reported(value, errors, WANTED) {
        let elements = value.elements();
        if elements.as_ref().is_some_and(Vec::is_empty) {
            errors.at(value, format_args!("{WANTED}; this one is empty"));
        }
        for element in elements.iter().flatten() {
            reported(element, errors, WANTED);
        }
    }
}

/// Whether this value is visibly no limit, and has been reported.
fn reported(value: &Value, errors: &mut Errors, wanted: &str) -> bool {
    let found = match value.shape() {
        Shape::Literal { literal, .. } => kind(literal),
        Shape::Closure { .. } => "a closure",
        Shape::Other if value.fields().is_some() => "a tuple",
        Shape::Other => return false,
    };
    errors.at(value, format_args!("{wanted}, not {found}"));
    true
}

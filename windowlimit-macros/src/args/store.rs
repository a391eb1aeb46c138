//! `store` and `on_store_error`: windows that processes share.

use super::{
    given::Given,
    number::kind,
    table,
    value::{Shape, Value},
};
use crate::error::Errors;

/// What a function with a shared window has.
pub(crate) struct Store<'g> {
    /// Evaluated once.
    pub(crate) value: &'g Value,
    pub(crate) on_error: OnError,
}

/// What happens to a call that the store cannot decide on.
#[derive(Clone, Copy)]
pub(crate) enum OnError {
    Local,
    Allow,
    Deny,
}

const WORDS: [(&str, OnError); 3] =
    [("local", OnError::Local), ("allow", OnError::Allow), ("deny", OnError::Deny)];

const KNOWN: &str = "(known are `local`, by which a window of this process decides and which is the default, `allow` and `deny`)";

impl<'g> Store<'g> {
    /// `None` if there is no store that can be used; what is wrong with one has been reported.
    pub(super) fn check(given: &'g Given, errors: &mut Errors) -> Option<Self> {
        report_missing(given, errors);
        let on_error = match given.value("on_store_error") {
            Some(value) => check_word(value, errors)?,
            None => OnError::Local,
        };
        let value = given.value("store")?;
        let found = match value.shape() {
            Shape::Literal { literal, .. } => kind(literal),
            Shape::Closure { .. } => "a closure",
            Shape::Other => return Some(Self { value, on_error }),
        };
        errors.at(
            value,
            format_args!(
                "`store` takes a `RedisStore` or a reference to one, such as a `static`, not {found}"
            ),
        );
        None
    }
}

/// What has to go together. A limiter that is given clashes with both anyway.
fn report_missing(given: &Given, errors: &mut Errors) {
    if given.is_garbled || given.has("limiter") {
        return;
    }
    if let (Some(store), false) = (given.name("store"), given.has("name")) {
        errors.at(
            store,
            "`store` needs `name`, such as `name = \"login\"`: it is what all processes that share the window have to \
             agree on",
        );
    }
    if let (Some(on_error), false) = (given.name("on_store_error"), given.has("store")) {
        errors.at(
            on_error,
            "`on_store_error` needs `store`: without one the window is that of this process, and cannot be away",
        );
    }
}

fn check_word(value: &Value, errors: &mut Errors) -> Option<OnError> {
    let word = value.as_ident().map(ToString::to_string);
    if let Some((_, on_error)) = WORDS.iter().find(|(known, _)| word.as_deref() == Some(known)) {
        return Some(*on_error);
    }
    let message = match (word, value.shape()) {
        (Some(word), _) => {
            let guess = table::nearest_of(&word.to_lowercase(), WORDS.map(|(known, _)| known));
            let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
            format!("unknown word `{word}`{guess} {KNOWN}")
        }
        (None, Shape::Literal { literal, .. }) => {
            format!("`on_store_error` takes a word, not {} {KNOWN}", kind(literal))
        }
        (None, Shape::Closure { .. }) => format!("`on_store_error` takes a word, not a closure {KNOWN}"),
        (None, Shape::Other) => format!("`on_store_error` takes a word, not an expression {KNOWN}"),
    };
    errors.at(value, message);
    None
}

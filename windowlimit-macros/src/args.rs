//! The arguments, read and checked: what `expand` needs to know, with nothing left to doubt.
//!
//! What must stay true: every mistake is reported at the token that is wrong, together with all others, and says
//! what to write instead. A value that only the compiler can judge goes through as it is.

pub(crate) mod algorithm;
mod cost;
pub(crate) mod duration;
mod given;
mod key;
mod limits;
mod names;
mod number;
pub(crate) mod store;
pub(crate) mod table;
mod value;
mod wait;

use proc_macro2::{Ident, TokenStream};
use syn::Lit;

pub(crate) use self::{
    algorithm::Algorithm,
    given::Given,
    key::Key,
    limits::{Element, Limits, Rate, Window},
    number::Number,
    store::{OnError, Store},
    value::{Shape, Value},
    wait::Wait,
};
use crate::{error::Errors, item::Names};

/// Checked arguments.
pub(crate) struct Args<'g> {
    pub(crate) source: Source<'g>,
    /// An expression that `concat!` accepts.
    pub(crate) name: Option<&'g Value>,
    pub(crate) skip_if: Option<&'g Value>,
    pub(crate) key: Option<Key<'g>>,
    pub(crate) cost: Option<Number<u32>>,
    pub(crate) wait: Option<Wait>,
    pub(crate) store: Option<Store<'g>>,
    pub(crate) permit: Option<&'g Ident>,
    pub(crate) answer: Answer<'g>,
}

/// Where the limiter comes from.
pub(crate) enum Source<'g> {
    /// `limiter = EXPR`.
    Shared(&'g Value),
    /// A window of the function's own.
    Own(Limits<'g>, Algorithm),
}

/// What a refused call returns.
pub(crate) enum Answer<'g> {
    /// What the return type makes of the refusal.
    OfType,
    /// `error = EXPR`.
    Error(&'g Value),
    /// `fallback = EXPR`.
    Fallback(&'g Value),
}

impl<'g> Args<'g> {
    /// Checks what was given, for a function that binds these names. `None` if there were errors.
    pub(crate) fn check(given: &'g Given, names: &Names, errors: &mut Errors) -> Option<Self> {
        check_path(given, errors);
        names::check(given, names, errors);
        let algorithm = Algorithm::check(given, errors);
        let source = match given.value("limiter") {
            Some(limiter) => Some(Source::Shared(check_limiter(limiter, errors))),
            None if given.has("limiter") => None,
            None => Limits::check(given, errors)
                .zip(algorithm)
                .map(|(limits, algorithm)| Source::Own(limits, algorithm)),
        };
        for argument in ["error", "fallback"] {
            given.value(argument).inspect(|value| check_closure(argument, value, errors));
        }
        let answer = match (given.value("error"), given.value("fallback")) {
            (Some(error), _) => Answer::Error(error),
            (None, Some(fallback)) => Answer::Fallback(fallback),
            (None, None) => Answer::OfType,
        };
        let name = given.value("name").inspect(|name| check_name(name, errors));
        let skip_if = given.value("skip_if").inspect(|value| check_condition(value, errors));
        let key = Key::check(given, errors);
        let cost = cost::check(given, errors);
        let wait = Wait::check(given, errors);
        let store = Store::check(given, errors);
        let permit = given.value("permit").and_then(|value| check_permit(value, errors));
        Some(Self { source: source?, name, skip_if, key, cost, wait, store, permit, answer })
            .filter(|_| errors.is_empty())
    }
}

impl Given {
    /// The path of the crate, where `crate =` gives a usable one.
    pub(crate) fn krate(&self) -> Option<&TokenStream> {
        self.value("crate").filter(|path| path.is_module_path()).map(Value::tokens)
    }

    /// Checks `#[window_rate_limit(skip)]`; whether this is one.
    pub(crate) fn check_skip(&self, in_block: bool, errors: &mut Errors) -> bool {
        let Some(skip) = self.name("skip") else {
            return false;
        };
        if self.len() > 1 {
            errors.at(skip, "`skip` stands alone: `#[window_rate_limit(skip)]`");
        } else if !in_block {
            errors.at(
                skip,
                "`skip` leaves a method out of an impl block that has the attribute; this one is in none",
            );
        }
        true
    }
}

fn check_path(given: &Given, errors: &mut Errors) {
    if let Some(path) = given.value("crate").filter(|path| !path.is_module_path()) {
        errors.at(path, "`crate` takes the path of the windowlimit crate, such as `crate = ::windowlimit`");
    }
}

fn check_limiter<'g>(value: &'g Value, errors: &mut Errors) -> &'g Value {
    if let Shape::Literal { .. } | Shape::Closure { .. } = value.shape() {
        errors.at(
            value,
            "`limiter` takes a limiter or a reference to one, such as a `static` or `self.limiter`",
        );
    }
    value
}

fn check_name(value: &Value, errors: &mut Errors) {
    match value.shape() {
        Shape::Literal { negative: false, literal: Lit::Str(text) } if text.value().is_empty() => {
            errors.at(value, "`name` is empty: leave it out, and the path of the function is the name");
        }
        Shape::Literal { negative: false, literal: Lit::Str(_) } => {}
        Shape::Other if value.is_macro_call() => {}
        _ => errors.at(value, "`name` takes a string literal, such as `name = \"login\"`"),
    }
}

fn check_closure(argument: &str, value: &Value, errors: &mut Errors) {
    if !matches!(value.shape(), Shape::Other | Shape::Literal { .. } | Shape::Closure { parameters: 1 }) {
        errors.at(
            value,
            format_args!("a closure in `{argument}` takes the refusal and nothing else: `|refusal| ..`"),
        );
    }
}

fn check_condition(value: &Value, errors: &mut Errors) {
    match value.shape() {
        Shape::Literal { negative: false, literal: Lit::Bool(_) } | Shape::Other => {}
        _ => errors.at(value, "`skip_if` takes a condition, such as `skip_if = user.is_admin()`"),
    }
}

fn check_permit<'g>(value: &'g Value, errors: &mut Errors) -> Option<&'g Ident> {
    let ident = value.as_ident();
    if ident.is_none() {
        errors.at(
            value,
            "`permit` takes the name of the variable that holds the permit, such as `permit = permit`",
        );
    }
    ident
}

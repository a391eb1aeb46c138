//! Numbers: literals, which are read here, and expressions, which are the compiler's to read.

use std::{fmt::Display, str::FromStr};

use proc_macro2::TokenStream;
use syn::{Lit, LitInt};

use super::value::{Shape, Value};

/// A number that has been read, or an expression that gives one.
pub(crate) enum Number<T> {
    Literal(T),
    Expression(TokenStream),
}

/// Reads a number of a type that a suffix may name. Or says what was found instead of one.
pub(super) fn read<T>(value: &Value, suffix: &str) -> Result<Number<T>, &'static str>
where
    T: FromStr<Err: Display>,
{
    match value.shape() {
        Shape::Other => Ok(Number::Expression(value.tokens().clone())),
        Shape::Closure { .. } => Err("a closure"),
        Shape::Literal { negative: true, .. } => Err("a negative number"),
        Shape::Literal { negative: false, literal: Lit::Int(number) } => {
            digits(number, suffix).map(Number::Literal)
        }
        Shape::Literal { literal, .. } => Err(kind(literal)),
    }
}

/// The number that a value is, if it is the literal of one.
pub(super) fn literal<T: FromStr<Err: Display>>(value: &Value, suffix: &str) -> Option<T> {
    match read(value, suffix) {
        Ok(Number::Literal(number)) => Some(number),
        _ => None,
    }
}

fn digits<T: FromStr<Err: Display>>(number: &LitInt, suffix: &str) -> Result<T, &'static str> {
    if !number.suffix().is_empty() && number.suffix() != suffix {
        return Err("a number of another type");
    }
    number.base10_parse().map_err(|_| "a larger one")
}

/// What a literal is, in an error that wanted something else.
pub(super) fn kind(literal: &Lit) -> &'static str {
    match literal {
        Lit::Str(_) => "a text",
        Lit::ByteStr(_) | Lit::CStr(_) => "bytes",
        Lit::Byte(_) => "a byte",
        Lit::Char(_) => "a character",
        Lit::Int(_) => "a whole number",
        Lit::Float(_) => "a fraction",
        Lit::Bool(_) => "a truth value",
        _ => "this",
    }
}

//! TOML and JSON, and where in the text things stand.

use std::{fs, path::Path};

use jsonc_parser::{
    CollectOptions, ParseOptions, ast,
    common::{Range, Ranged},
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    ConfigError,
    entry::{Entry, read_all},
    error::Faults,
    node::{Key, Node, Value},
};

/// What a file says, and all that is wrong with it.
pub(super) type Read = (Vec<(String, Entry)>, Option<ConfigError>);

pub(super) fn read(path: &Path) -> Read {
    let name = path.display().to_string();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("wanted to read it, found: {error}");
            return (Vec::new(), Some(ConfigError::unreadable(&name, message)));
        }
    };
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if is_json { json(&name, &text) } else { toml(&name, &text) }
}

pub(super) fn toml(name: &str, text: &str) -> Read {
    let (table, errors) = DeTable::parse_recoverable(text);
    let line = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count();
    let place = |at: usize, _: &str| Some(place(name, text, at));

    let mut faults = Faults::new(&place);
    let mut bad_lines = Vec::new();
    for error in &errors {
        let at = error.span().map_or(0, |span| span.start);
        bad_lines.push(line(at));
        faults.add(at, "", error.message().to_owned());
    }
    let mut others = Faults::new(&place);
    let at = table.span().start;
    let entries = read_all(Node { at, value: of_table(table.into_inner()) }, &mut others);
    // Of a line that is no TOML, the parser has made what it could: nothing more is to be said of that.
    faults.extend(others, |at| !bad_lines.contains(&line(at)));
    (entries, faults.into_error())
}

fn of_table(table: DeTable<'_>) -> Value {
    let pair = |(key, value): (Spanned<_>, _)| {
        (Key { at: key.span().start, text: String::from(key.into_inner()) }, of_toml(value))
    };
    let mut pairs: Vec<_> = table.into_iter().map(pair).collect();
    pairs.sort_by_key(|(key, _)| key.at);
    Value::Map(pairs)
}

fn of_toml(value: Spanned<DeValue<'_>>) -> Node {
    let at = value.span().start;
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Array(values) => Value::List(values.into_iter().map(of_toml).collect()),
        DeValue::Table(table) => of_table(table),
        DeValue::Boolean(value) => Value::Other(format!("`{value}`")),
        DeValue::Integer(number) => Value::Other(format!("the number {number}")),
        DeValue::Float(number) => Value::Other(format!("the number {number}")),
        DeValue::Datetime(instant) => Value::Other(format!("the time {instant}")),
    };
    Node { at, value }
}

/// As RFC 8259 has it, and no more.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub(super) fn json(name: &str, text: &str) -> Read {
    let place = |at: usize, _: &str| Some(place(name, text, at));
    let mut faults = Faults::new(&place);
    let entries = match jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(read) => {
            let nothing = || Node { at: text.len(), value: Value::Other("nothing".to_owned()) };
            read_all(read.value.map_or_else(nothing, of_json), &mut faults)
        }
        Err(error) => {
            faults.add(error.range().start, "", error.kind().to_string());
            Vec::new()
        }
    };
    (entries, faults.into_error())
}

fn of_json(value: ast::Value<'_>) -> Node {
    let Range { start: at, .. } = value.range();
    let value = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.into_owned()),
        ast::Value::Array(array) => Value::List(array.elements.into_iter().map(of_json).collect()),
        ast::Value::Object(object) => {
            let pair = |property: ast::ObjectProp<'_>| {
                let key = Key { at: property.range.start, text: property.name.into_string() };
                (key, of_json(property.value))
            };
            Value::Map(object.properties.into_iter().map(pair).collect())
        }
        ast::Value::NumberLit(number) => Value::Other(format!("the number {}", number.value)),
        ast::Value::BooleanLit(boolean) => Value::Other(format!("`{}`", boolean.value)),
        ast::Value::NullKeyword(_) => Value::Other("`null`".to_owned()),
    };
    Node { at, value }
}

/// `file:line:column`, both from 1, as editors count.
fn place(name: &str, text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{name}:{line}:{column}")
}

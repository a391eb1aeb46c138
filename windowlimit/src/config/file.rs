//! TOML and JSON, and where in the text things stand.

use std::{fs, path::Path};

use serde_json::value::RawValue;
use toml::Spanned;

use super::{ConfigError, Settings, entry::Entry, pairs::Pairs};

pub(super) fn read(path: &Path) -> Result<Settings, ConfigError> {
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| ConfigError::unreadable(&name, format!("wanted to read it, found: {error}")))?;
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if is_json { json(&name, &text) } else { toml(&name, &text) }
}

pub(super) fn toml(name: &str, text: &str) -> Result<Settings, ConfigError> {
    let Pairs(pairs) = toml::from_str::<Pairs<String, Spanned<Entry>>>(text).map_err(|error| {
        let place = error.span().map_or_else(|| name.to_owned(), |span| place(name, text, span.start));
        ConfigError::at(place, error.message())
    })?;
    let names = pairs.into_iter().map(|(key, entry)| {
        let at = place(name, text, entry.span().start);
        (key, entry.into_inner().at(at))
    });
    Ok(Settings { names: names.collect(), ..Settings::default() })
}

pub(super) fn json(name: &str, text: &str) -> Result<Settings, ConfigError> {
    let wrong = |error: serde_json::Error| {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let message = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
        ConfigError::at(format!("{name}:{line}:{column}"), message)
    };
    let Pairs(pairs) = serde_json::from_str::<Pairs<String, Entry>>(text).map_err(wrong)?;
    // Once more, for the places: the text of a value is a part of the whole.
    let Pairs(places) = serde_json::from_str::<Pairs<String, &RawValue>>(text).map_err(wrong)?;
    let names = pairs.into_iter().zip(places).map(|((key, entry), (_, raw))| {
        let offset = raw.get().as_ptr().addr() - text.as_ptr().addr();
        (key, entry.at(place(name, text, offset)))
    });
    Ok(Settings { names: names.collect(), ..Settings::default() })
}

/// `file:line:column`, both from 1, as editors count.
fn place(name: &str, text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{name}:{line}:{column}")
}

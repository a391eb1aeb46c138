//! What is asked for one name, and all that is wrong with how it is written.

use super::{
    error::Faults,
    node::{Key, Node, Value},
};
use crate::{
    limit::Limit,
    watch::{Mode, Setting, Wanted},
};

/// Limits, a mode, or both.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    limits: Option<Vec<Limit>>,
    mode: Option<Mode>,
    /// Where it stands, if that is known: file or variable, and line.
    place: Option<String>,
    /// How far in the text that is.
    at: usize,
}

const WANTED: &str =
    "limits such as `\"100/m\"` or `[\"10/s\", \"100/m\"]`, a mode, or a table of `limits` and `mode`";

/// What is asked for each name, without those for which something is wrong.
pub(super) fn read_all(node: Node, faults: &mut Faults<'_>) -> Vec<(String, Entry)> {
    let at = node.at;
    let Value::Map(pairs) = node.value else {
        let found = node.kind();
        faults.add(
            at,
            "",
            format!("wanted the names of limiters, each with limits, a mode or both, found {found}"),
        );
        return Vec::new();
    };
    let mut entries: Vec<(String, Entry)> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for (Key { at, text: name }, node) in pairs {
        if seen.contains(&name) {
            faults.add(at, &name, format!("wanted each name once, found `{name}` again"));
        }
        seen.push(name.clone());
        let before = faults.len();
        let entry = Entry::of_node(&node, &name, faults);
        if faults.len() == before {
            let place = faults.place(node.at, &name);
            entries.push((name, Entry { place, at: node.at, ..entry }));
        }
    }
    entries
}

impl Entry {
    /// Reads `10/s, 100/m`, `shadow`, or `off, 5/m`, in a variable of this name.
    pub(super) fn of_variable(name: &str, text: &str, faults: &mut Faults<'_>) -> Self {
        let mut entry = Self { place: faults.place(0, name), ..Self::default() };
        entry.take_all(text, |message| faults.add(0, name, message));
        entry
    }

    fn of_node(node: &Node, name: &str, faults: &mut Faults<'_>) -> Self {
        let mut entry = Self::default();
        match &node.value {
            Value::Text(text) => entry.take_all(text, |message| faults.add(node.at, name, message)),
            Value::List(words) if words.is_empty() => {
                faults.add(node.at, name, "wanted at least one limit, found none".to_owned());
            }
            Value::List(words) => {
                for word in words {
                    let taken = match &word.value {
                        Value::Text(text) => entry.take(text),
                        _ => Err(format!("wanted a limit such as `\"100/m\"`, found {}", word.kind())),
                    };
                    taken.unwrap_or_else(|message| faults.add(word.at, name, message));
                }
            }
            Value::Map(fields) => entry.take_fields(fields, name, faults),
            Value::Other(what) => faults.add(node.at, name, format!("wanted {WANTED}, found {what}")),
        }
        entry
    }

    fn take_fields(&mut self, fields: &[(Key, Node)], name: &str, faults: &mut Faults<'_>) {
        for (place, (field, node)) in fields.iter().enumerate() {
            if fields[..place].iter().any(|(before, _)| before.text == field.text) {
                faults.add(field.at, name, format!("wanted each field once, found `{}` again", field.text));
                continue;
            }
            match (&*field.text, &node.value) {
                ("limits", _) => {
                    let (before, entry) = (faults.len(), Self::of_node(node, name, faults));
                    if entry.mode.is_some() || entry.limits.is_none() && faults.len() == before {
                        faults.add(node.at, name, "wanted limits in `limits`, found a mode".to_owned());
                    }
                    self.limits = entry.limits;
                }
                ("mode", Value::Text(text)) => match text.parse() {
                    Ok(mode) => self.mode = Some(mode),
                    Err(error) => faults.add(node.at, name, error.to_string()),
                },
                ("mode", _) => {
                    let found = node.kind();
                    faults.add(node.at, name, format!("wanted `enforce`, `shadow` or `off`, found {found}"));
                }
                (other, _) => {
                    faults.add(field.at, name, format!("wanted `limits` or `mode`, found `{other}`"));
                }
            }
        }
    }

    fn take_all(&mut self, text: &str, mut fault: impl FnMut(String)) {
        for word in text.split(',') {
            self.take(word).unwrap_or_else(&mut fault);
        }
    }

    /// Takes a limit or a mode.
    fn take(&mut self, word: &str) -> Result<(), String> {
        let word = word.trim();
        // Only a limit has a slash, and only a mode is a word of letters.
        let is_mode = !word.is_empty() && word.chars().all(char::is_alphabetic);
        if !is_mode {
            self.limits.get_or_insert_default().push(word.parse().map_err(|error| format!("{error}"))?);
            return Ok(());
        }
        let mode =
            word.parse().map_err(|error| format!("{error}, which is no limit such as `100/m` either"))?;
        match self.mode.replace(mode) {
            Some(before) => Err(format!("wanted one mode, found `{before}` and `{mode}`")),
            None => Ok(()),
        }
    }

    pub(super) fn has_limits(&self) -> bool {
        self.limits.is_some()
    }

    pub(super) fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// How far in its text it stands.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What it leaves out is as in the source.
    pub(super) fn setting(&self) -> Setting {
        let limits = self.limits.clone().map_or(Wanted::AsDeclared, Wanted::These);
        Setting { limits, mode: self.mode, is_configured: true }
    }
}

//! What is asked for one name.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
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
}

impl Entry {
    /// Reads `10/s, 100/m`, `shadow`, or `off, 5/m`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut entry = Self::default();
        for word in text.split(',') {
            entry.take(word)?;
        }
        Ok(entry)
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

    /// The same, which stands here.
    pub(super) fn at(self, place: String) -> Self {
        Self { place: Some(place), ..self }
    }

    pub(super) fn has_limits(&self) -> bool {
        self.limits.is_some()
    }

    pub(super) fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// What it leaves out is as in the source.
    pub(super) fn setting(&self) -> Setting {
        let limits = self.limits.clone().map_or(Wanted::AsDeclared, Wanted::These);
        Setting { limits, mode: self.mode, is_configured: true }
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole)
    }
}

struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("limits such as `\"100/m\"` or `[\"10/s\", \"100/m\"]`, a mode, or a table of `limits` and `mode`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Entry, E> {
        Entry::read(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<Entry, A::Error> {
        let mut entry = Entry::default();
        while let Some(Word) = words.next_element_seed(Take(&mut entry))? {}
        if entry == Entry::default() {
            return Err(de::Error::custom("wanted at least one limit, found none"));
        }
        Ok(entry)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Entry, A::Error> {
        let mut entry = Entry::default();
        // What is wrong with a field or its value is found while that is read, so that it is told at its place.
        while let Some(field) = fields.next_key()? {
            let is_second = match field {
                Field::Limits => entry.limits.replace(fields.next_value::<Limits>()?.0).is_some(),
                Field::Mode => entry.mode.replace(fields.next_value::<OneMode>()?.0).is_some(),
            };
            if is_second {
                return Err(de::Error::custom("wanted each field once, found one again"));
            }
        }
        Ok(entry)
    }
}

/// The fields of a table.
enum Field {
    Limits,
    Mode,
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "limits" => Ok(Self::Limits),
            "mode" => Ok(Self::Mode),
            other => Err(de::Error::unknown_field(other, &["limits", "mode"])),
        }
    }
}

/// An entry without a mode.
struct Limits(Vec<Limit>);

impl<'de> Deserialize<'de> for Limits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Entry::deserialize(deserializer)? {
            Entry { limits: Some(limits), mode: None, .. } => Ok(Self(limits)),
            _ => Err(de::Error::custom("wanted limits in `limits`, found a mode")),
        }
    }
}

/// An entry that is nothing but a mode.
struct OneMode(Mode);

impl<'de> Deserialize<'de> for OneMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(de::Error::custom)
    }
}

/// A word that has been taken.
struct Word;

/// Takes the next word, so that what is wrong with it is told at its place.
struct Take<'e>(&'e mut Entry);

impl<'de> de::DeserializeSeed<'de> for Take<'_> {
    type Value = Word;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Word, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Take<'_> {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a limit such as `\"100/m\"`")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Word, E> {
        self.0.take(word).map(|()| Word).map_err(E::custom)
    }
}

//! A configuration as it was written, whatever it was written in: texts, lists and maps, and where each stands.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};

/// A value, and where it begins in the text, if there is one.
pub(super) struct Node {
    pub(super) at: usize,
    pub(super) value: Value,
}

pub(super) enum Value {
    Text(String),
    List(Vec<Node>),
    /// Every pair, in the order of the text, also of keys that come again.
    Map(Vec<(Key, Node)>),
    /// Something that nothing can be made of, in words.
    Other(String),
}

pub(super) struct Key {
    pub(super) at: usize,
    pub(super) text: String,
}

impl Node {
    /// What it is, for people.
    pub(super) fn kind(&self) -> &str {
        match &self.value {
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a table",
            Value::Other(what) => what,
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { at: 0, value }
    }
}

/// From anything that `serde` reads; where it stands is not known then.
impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole)
    }
}

struct Whole;

macro_rules! other {
    ($($visit:ident: $type:ty => $what:literal),* $(,)?) => {$(
        fn $visit<E: de::Error>(self, value: $type) -> Result<Node, E> {
            Ok(Value::Other(format!($what, value)).into())
        }
    )*};
}

impl<'de> Visitor<'de> for Whole {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the names of limiters, each with limits, a mode or both")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(Value::Text(text.to_owned()).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = nodes.next_element()? {
            list.push(node);
        }
        Ok(Value::List(list).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Node, A::Error> {
        let mut map = Vec::new();
        while let Some((text, node)) = pairs.next_entry()? {
            map.push((Key { at: 0, text }, node));
        }
        Ok(Value::Map(map).into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        Ok(Value::Other("nothing".to_owned()).into())
    }

    fn visit_none<E: de::Error>(self) -> Result<Node, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    other! {
        visit_bool: bool => "`{}`",
        visit_i64: i64 => "the number {}",
        visit_u64: u64 => "the number {}",
        visit_f64: f64 => "the number {}",
    }
}

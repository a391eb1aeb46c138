//! A map whose keys are all kept, so that none is silently the second of its name.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};

/// The pairs of a map, in their order.
pub(super) struct Pairs<K, V>(pub(super) Vec<(K, V)>);

impl<'de, K, V> Deserialize<'de> for Pairs<K, V>
where
    K: Deserialize<'de> + PartialEq + fmt::Display,
    V: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(All(PhantomData))
    }
}

struct All<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for All<K, V>
where
    K: Deserialize<'de> + PartialEq + fmt::Display,
    V: Deserialize<'de>,
{
    type Value = Pairs<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the names of limiters, each with limits, a mode or both")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs: Vec<(K, V)> = Vec::new();
        while let Some(key) = map.next_key()? {
            if pairs.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format_args!("wanted each name once, found `{key}` again")));
            }
            pairs.push((key, map.next_value()?));
        }
        Ok(Pairs(pairs))
    }
}

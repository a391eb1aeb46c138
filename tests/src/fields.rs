//! Fields as a client reads them: the structured ones by the library `sfv`, nothing by looking for text.

use std::{collections::HashMap, sync::Arc};

use sfv::{Dictionary, List, ListEntry, Parser};
use windowlimit::{KeyedLimiter, Limit, Limiter, ManualClock, RateLimitFields};

pub type Manual = Arc<ManualClock>;

/// A limiter on a clock of its own.
#[must_use]
pub fn limiter(name: &str, limits: &[Limit]) -> Limiter<Manual> {
    let builder = Limiter::builder().name(name.to_owned()).limits(limits.iter().copied());
    builder.clock(Manual::default()).build().expect("it has limits")
}

/// The same for each key.
#[must_use]
pub fn keyed(name: &str, limits: &[Limit]) -> KeyedLimiter<Manual> {
    let builder = KeyedLimiter::builder().name(name.to_owned()).limits(limits.iter().copied());
    builder.clock(Manual::default()).build().expect("it has limits")
}

/// The fields, each of which there is once.
#[must_use]
pub fn fields(fields: &RateLimitFields) -> HashMap<&'static str, String> {
    let all: Vec<_> = fields.iter().collect();
    let fields: HashMap<_, _> = all.iter().cloned().collect();
    assert_eq!(fields.len(), all.len(), "{all:?}");
    for (field, value) in &fields {
        assert!(http::HeaderName::from_static(field).as_str() == *field);
        assert!(http::HeaderValue::from_str(value).is_ok(), "{value}");
    }
    fields
}

/// A member of a list: what it names, and its parameters, all of which are integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub parameters: Vec<(String, i64)>,
}

impl Member {
    #[must_use]
    pub fn new(name: &str, parameters: [(&str, i64); 2]) -> Self {
        let parameters = parameters.map(|(key, value)| (key.to_owned(), value)).to_vec();
        Self { name: name.to_owned(), parameters }
    }

    /// The parameter of this name.
    #[must_use]
    pub fn get(&self, key: &str) -> i64 {
        self.parameters.iter().find(|(name, _)| name == key).expect("it is there").1
    }
}

/// A list of items whose value is a string, as draft 11 has them.
#[must_use]
pub fn list(value: &str) -> Vec<Member> {
    let list: List = Parser::new(value).parse().unwrap_or_else(|error| panic!("{value}: {error}"));
    let member = |entry: &ListEntry| {
        let ListEntry::Item(item) = entry else { panic!("{value}: an inner list") };
        let name = item.bare_item.as_string().expect("a string names the policy").as_str().to_owned();
        let parameters = item.params.iter().map(|(key, value)| {
            (key.as_str().to_owned(), i64::from(value.as_integer().expect("it is a number")))
        });
        Member { name, parameters: parameters.collect() }
    };
    list.iter().map(member).collect()
}

/// A dictionary of integers, as draft 7 has it.
#[must_use]
pub fn dictionary(value: &str) -> Vec<(String, i64)> {
    let dictionary: Dictionary =
        Parser::new(value).parse().unwrap_or_else(|error| panic!("{value}: {error}"));
    let number = |entry: &ListEntry| match entry {
        ListEntry::Item(item) => i64::from(item.bare_item.as_integer().expect("it is a number")),
        ListEntry::InnerList(_) => panic!("{value}: an inner list"),
    };
    dictionary.iter().map(|(key, entry)| (key.as_str().to_owned(), number(entry))).collect()
}

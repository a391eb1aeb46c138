//! The names that a function binds, for errors about arguments that cannot see them.
//!
//! A name that is not found here does no harm: the compiler then refuses it at the same token, in its own words.

use proc_macro2::{Delimiter, Group, Spacing, TokenTree};

use super::{
    open,
    walk::{Walk, is_ident, is_punct},
};

/// What the parameters of a function, or the generic parameters of an impl block, are called.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) generics: Vec<String>,
    pub(crate) parameters: Vec<String>,
}

/// The names of types and constants in the inside of `<..>`.
pub(super) fn generics(tokens: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    let mut walk = Walk::new(tokens);
    while walk.peek().is_some() {
        walk.attributes();
        if is_ident(walk.peek(), "const") {
            walk.next();
        }
        names.extend(walk.ident().map(ToString::to_string));
        walk.until(|token| is_punct(Some(token), ','));
        walk.next();
    }
    names
}

/// The names in the patterns of parameters.
pub(super) fn parameters(inputs: &Group) -> Vec<String> {
    let mut names = Vec::new();
    let tokens = open(inputs.stream());
    let mut walk = Walk::new(&tokens);
    while walk.peek().is_some() {
        walk.attributes();
        let start = walk.at();
        while walk.peek().is_some_and(|token| !is_colon(token) && !is_punct(Some(token), ',')) {
            // Both halves of a `::`.
            if is_punct(walk.next(), ':') {
                walk.next();
            }
        }
        bindings(&tokens[start..walk.at()], &mut names);
        walk.until(|token| is_punct(Some(token), ','));
        walk.next();
    }
    names
}

/// The identifiers of a pattern that bind something: neither keywords, nor paths, nor the names of fields.
fn bindings(pattern: &[TokenTree], names: &mut Vec<String>) {
    const KEYWORDS: [&str; 5] = ["self", "mut", "ref", "box", "_"];
    for (i, token) in pattern.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| pattern.get(i));
        let after = pattern.get(i + 1);
        match token {
            TokenTree::Ident(ident) => {
                let names_a_field = after.is_some_and(is_colon);
                let in_a_path =
                    is_punct(after, ':') || is_punct(before, ':') && !before.is_some_and(is_colon);
                let names_a_type = matches!(after, Some(TokenTree::Group(_))) || is_punct(after, '!');
                if !(names_a_field || in_a_path || names_a_type || KEYWORDS.iter().any(|word| ident == word))
                {
                    names.push(ident.to_string());
                }
            }
            TokenTree::Group(group) if group.delimiter() != Delimiter::None && !is_punct(before, '#') => {
                bindings(&open(group.stream()), names);
            }
            _ => {}
        }
    }
}

/// A colon that is no part of a `::`, as far as the first half tells.
fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Alone)
}

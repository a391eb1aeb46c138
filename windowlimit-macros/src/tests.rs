//! Tests of the expansion as tokens, for which no compiler is needed. What programs do is in `tests/cases` and what
//! is said about mistakes in `tests/ui`, in the workspace.

mod arguments;
mod costs_and_algorithms;
mod durations;
mod keys;
mod robustness;
mod snapshots;
mod spans;
mod stores;
mod waiting;

use proc_macro2::{Spacing, TokenStream, TokenTree};

use crate::expand::expand;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the text of a test is Rust")
}

/// The expansion of an attribute with these arguments on this item.
fn expanded(args: &str, item: &str) -> TokenStream {
    expand(tokens(args), tokens(item))
}

/// The messages of the errors in an expansion, in their order.
fn errors(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut messages = Vec::new();
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(group)] = window {
            if name == "compile_error" {
                let text: syn::LitStr = syn::parse2(group.stream()).expect("an error has a text");
                messages.push(text.value());
            }
        }
    }
    messages
}

/// How many tokens there are, as the compiler's lexer counts: `::` is one. A pair of delimiters counts as one.
fn count(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => 0,
            TokenTree::Group(group) => 1 + count(group.stream()),
            _ => 1,
        })
        .sum()
}

/// All tokens at any depth, without the delimiters.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Group(group) => flat(group.stream()),
            token => vec![token],
        })
        .collect()
}

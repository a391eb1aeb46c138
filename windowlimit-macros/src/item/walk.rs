//! A position in a list of tokens, and the few things of Rust's grammar that are needed to find one's way in the
//! head of an item: attributes, qualifiers, angle brackets.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenTree};

/// A position in tokens whose None-delimited groups have been opened.
pub(super) struct Walk<'t> {
    tokens: &'t [TokenTree],
    at: usize,
}

/// The word that says what an item is.
pub(super) enum Keyword<'t> {
    Fn,
    Impl,
    Other(Option<&'t TokenTree>),
}

/// What may stand before `fn` and `impl`, besides the visibility and the text of an ABI.
const QUALIFIERS: [&str; 8] = ["pub", "default", "const", "async", "gen", "unsafe", "safe", "extern"];

impl<'t> Walk<'t> {
    pub(super) fn new(tokens: &'t [TokenTree]) -> Self {
        Self { tokens, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<&'t TokenTree> {
        self.tokens.get(self.at)
    }

    pub(super) fn next(&mut self) -> Option<&'t TokenTree> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    /// The next token, if it is an identifier. Raw identifiers are none of the keywords that they spell.
    pub(super) fn ident(&mut self) -> Option<&'t Ident> {
        match self.peek() {
            Some(TokenTree::Ident(ident)) => {
                self.at += 1;
                Some(ident)
            }
            _ => None,
        }
    }

    pub(super) fn group(&mut self, delimiter: Delimiter) -> Option<&'t Group> {
        match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
                self.at += 1;
                Some(group)
            }
            _ => None,
        }
    }

    /// Goes past attributes, inner ones included, and the doc comments that arrive as such.
    pub(super) fn attributes(&mut self) {
        while self.attribute().is_some() {}
    }

    /// Goes past one attribute, whose brackets it returns.
    pub(super) fn attribute(&mut self) -> Option<&'t Group> {
        let start = self.at;
        if is_punct(self.next(), '#') {
            if is_punct(self.peek(), '!') {
                self.at += 1;
            }
            if let Some(group) = self.group(Delimiter::Bracket) {
                return Some(group);
            }
        }
        self.at = start;
        None
    }

    /// Goes past visibility and qualifiers, up to the word that says what the item is. That word is still to come.
    pub(super) fn keyword(&mut self) -> Keyword<'t> {
        let first = self.peek();
        loop {
            match self.peek() {
                Some(TokenTree::Ident(ident)) if ident == "fn" => return Keyword::Fn,
                Some(TokenTree::Ident(ident)) if ident == "impl" => return Keyword::Impl,
                Some(TokenTree::Ident(ident)) if QUALIFIERS.iter().any(|word| ident == word) => {
                    let restricted = ident == "pub";
                    self.at += 1;
                    if restricted {
                        self.group(Delimiter::Parenthesis);
                    }
                }
                Some(TokenTree::Literal(_)) => self.at += 1,
                // In `const LIMIT: u32 = 5;` and `extern "C" { .. }` a qualifier is the keyword.
                Some(TokenTree::Ident(ident)) if is_item_keyword(ident) => {
                    return Keyword::Other(self.peek());
                }
                _ => return Keyword::Other(self.keyword_among_qualifiers(first)),
            }
        }
    }

    fn keyword_among_qualifiers(&self, first: Option<&'t TokenTree>) -> Option<&'t TokenTree> {
        let passed = self.tokens[..self.at].iter().rev();
        let mut keywords =
            passed.filter(|token| is_ident(Some(token), "const") || is_ident(Some(token), "extern"));
        keywords.next().or(first)
    }

    /// Goes past `<..>`, if that comes next, and returns where its inside stands.
    pub(super) fn angles(&mut self) -> Range<usize> {
        if !is_punct(self.peek(), '<') {
            return self.at..self.at;
        }
        let start = self.at + 1;
        let mut depth = Depth::default();
        while let Some(token) = self.next() {
            depth.pass(token);
            if depth.is_zero() {
                return start..self.at - 1;
            }
        }
        start..self.at
    }

    /// Goes on until a token outside of all angle brackets is wanted, and returns where that was. The
    /// token is still to come.
    pub(super) fn until(&mut self, mut wanted: impl FnMut(&TokenTree) -> bool) -> Range<usize> {
        let start = self.at;
        let mut depth = Depth::default();
        while let Some(token) = self.peek() {
            if depth.is_zero() && wanted(token) {
                break;
            }
            depth.pass(token);
            self.at += 1;
        }
        start..self.at
    }
}

/// How many angle brackets are open. The `>` of `->` and `=>` closes none.
#[derive(Default)]
pub(super) struct Depth {
    open: usize,
    arrow: bool,
}

impl Depth {
    pub(super) fn pass(&mut self, token: &TokenTree) {
        let arrow = std::mem::take(&mut self.arrow);
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '<' => self.open += 1,
                '>' if !arrow => self.open = self.open.saturating_sub(1),
                '-' | '=' => self.arrow = punct.spacing() == Spacing::Joint,
                _ => {}
            }
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.open == 0
    }
}

pub(super) fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

pub(super) fn is_ident(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

pub(crate) fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

fn is_item_keyword(ident: &Ident) -> bool {
    ["struct", "enum", "union", "trait", "mod", "type", "static", "use", "macro_rules", "macro"]
        .iter()
        .any(|word| ident == word)
}

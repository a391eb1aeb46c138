//! A function: its head as it came, what has to be known of it, and its body.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use super::{
    body::Place,
    names::{self, Names},
    walk::{Keyword, Walk, is_group, is_ident, is_punct},
};

/// A function or method.
pub(crate) struct Function {
    /// Attributes, visibility, signature and where clause; of a function without a body everything.
    head: Vec<TokenTree>,
    /// How many of the tokens of the head are attributes.
    attributes: usize,
    pub(crate) constness: Option<Ident>,
    pub(crate) asyncness: bool,
    pub(crate) name: Ident,
    /// The tokens between the angle brackets behind the name.
    generics: Range<usize>,
    inputs: Group,
    /// The return type, without the arrow.
    output: Option<Range<usize>>,
    pub(crate) body: Option<Group>,
}

impl Function {
    /// Reads a function from tokens that begin with one; also returns how many of them it takes up.
    pub(super) fn read(tokens: &[TokenTree]) -> Option<(Self, usize)> {
        let mut walk = Walk::new(tokens);
        walk.attributes();
        let attributes = walk.at();
        let Keyword::Fn = walk.keyword() else { return None };
        let qualifiers = &tokens[attributes..walk.at()];
        walk.next();
        let name = walk.ident()?.clone();
        let generics = walk.angles();
        let inputs = walk.group(Delimiter::Parenthesis)?.clone();
        let output = read_output(&mut walk);
        walk.until(|token| is_punct(Some(token), ';') || is_group(Some(token), Delimiter::Brace));
        let body = walk.group(Delimiter::Brace).cloned();
        if body.is_none() {
            walk.next();
        }
        let head = &tokens[..walk.at() - usize::from(body.is_some())];
        let function = Self {
            head: head.to_vec(),
            attributes,
            constness: qualifiers.iter().find_map(|token| match token {
                TokenTree::Ident(ident) if ident == "const" => Some(ident.clone()),
                _ => None,
            }),
            asyncness: qualifiers.iter().any(|token| is_ident(Some(token), "async")),
            name,
            generics,
            inputs,
            output,
            body,
        };
        Some((function, walk.at()))
    }

    /// The tokens of the return type, as the user wrote them.
    pub(crate) fn output(&self) -> Option<&[TokenTree]> {
        self.output.clone().map(|range| &self.head[range])
    }

    /// Everything before the body, as it came.
    pub(crate) fn head(&self) -> &[TokenTree] {
        &self.head
    }

    /// The head, in two parts: attributes, and all the rest.
    pub(crate) fn split_head(&self) -> (&[TokenTree], &[TokenTree]) {
        self.head.split_at(self.attributes)
    }

    /// The function as it came, less what [`Function::take_marker`] has taken.
    pub(crate) fn unguarded(&self) -> TokenStream {
        let body = self.body.clone().map(TokenTree::from);
        self.head.iter().cloned().chain(body).collect()
    }

    /// Where the guard goes.
    pub(crate) fn place(&self) -> Option<Place> {
        self.body.as_ref().map(|body| Place::find(body, self.asyncness))
    }

    /// Removes the marks that an annotated impl block leaves on its methods; whether there was one.
    pub(crate) fn take_marker(&mut self) -> bool {
        let mut walk = Walk::new(&self.head[..self.attributes]);
        let (mut kept, mut start) = (Vec::new(), 0);
        while let Some(attribute) = walk.attribute() {
            if !is_marker(attribute) {
                kept.extend_from_slice(&self.head[start..walk.at()]);
            }
            start = walk.at();
        }
        let removed = self.attributes - kept.len();
        if removed > 0 {
            self.head.splice(..self.attributes, kept);
            self.forget(removed);
        }
        removed > 0
    }

    /// Shifts what points behind the attributes, of which so many tokens are gone.
    fn forget(&mut self, count: usize) {
        let shift = |range: &Range<usize>| range.start - count..range.end - count;
        self.attributes -= count;
        self.generics = shift(&self.generics);
        self.output = self.output.as_ref().map(shift);
    }

    /// The names that the function's parameters and generic parameters bind, as far as they can be told.
    pub(crate) fn names(&self) -> Names {
        Names {
            generics: names::generics(&self.head[self.generics.clone()]),
            parameters: names::parameters(&self.inputs),
        }
    }
}

/// `-> TYPE`.
fn read_output(walk: &mut Walk<'_>) -> Option<Range<usize>> {
    if !is_punct(walk.peek(), '-') {
        return None;
    }
    walk.next();
    walk.next();
    let ends = |token: &TokenTree| {
        is_ident(Some(token), "where")
            || is_punct(Some(token), ';')
            || is_group(Some(token), Delimiter::Brace)
    };
    Some(walk.until(ends))
}

/// Whether the brackets of an attribute hold `..::__private::__from_impl(..)`.
fn is_marker(attribute: &Group) -> bool {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match tokens.as_slice() {
        [.., private, _, _, TokenTree::Ident(name), TokenTree::Group(_)] => {
            name == "__from_impl" && is_ident(Some(private), "__private")
        }
        _ => false,
    }
}

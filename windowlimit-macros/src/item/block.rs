//! An impl block, each of whose methods gets the guard.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use super::{
    Function,
    body::braced,
    names::{self, Names},
    walk::{Keyword, Walk, is_group, is_ident, is_punct},
};

/// An impl block, inherent or of a trait.
pub(crate) struct Block {
    /// Everything before the braces, as it came.
    head: Vec<TokenTree>,
    /// The word `impl`.
    pub(crate) keyword: TokenTree,
    pub(crate) names: Names,
    /// The type, as it is shown in names.
    pub(crate) self_type: String,
    pub(crate) members: Vec<Member>,
    braces: Span,
}

/// Something in an impl block.
pub(crate) enum Member {
    /// A function with a body.
    Method(Function),
    Other(Vec<TokenTree>),
}

impl Block {
    /// Reads an impl block from all the tokens of an item.
    pub(super) fn read(tokens: &[TokenTree]) -> Option<Self> {
        let [head @ .., TokenTree::Group(braces)] = tokens else {
            return None;
        };
        if braces.delimiter() != Delimiter::Brace {
            return None;
        }
        let mut walk = Walk::new(head);
        walk.attributes();
        walk.keyword();
        let keyword = walk.next()?.clone();
        let generics = walk.angles();
        let mut self_type =
            walk.until(|token| is_ident(Some(token), "for") || is_ident(Some(token), "where"));
        if is_ident(walk.peek(), "for") {
            walk.next();
            self_type = walk.until(|token| is_ident(Some(token), "where"));
        }
        Some(Self {
            keyword,
            names: Names { generics: names::generics(&head[generics]), parameters: Vec::new() },
            self_type: compact(&head[self_type]),
            head: head.to_vec(),
            members: read_members(braces),
            braces: braces.span(),
        })
    }

    /// Whether there is anything to limit.
    pub(crate) fn has_methods(&self) -> bool {
        self.members.iter().any(|member| matches!(member, Member::Method(_)))
    }

    /// The block again, with what each of its members has become.
    pub(crate) fn rebuild(self, mut member: impl FnMut(Member) -> TokenStream) -> TokenStream {
        let inside = self.members.into_iter().map(&mut member).collect();
        self.head.into_iter().chain([braced(inside, self.braces).into()]).collect()
    }
}

fn read_members(braces: &Group) -> Vec<Member> {
    let tokens = super::open(braces.stream());
    let mut members = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let (member, length) = match Function::read(rest) {
            Some((function, length)) if function.body.is_some() => (Member::Method(function), length),
            Some((_, length)) => (Member::Other(rest[..length].to_vec()), length),
            None => {
                let length = other_length(rest);
                (Member::Other(rest[..length].to_vec()), length)
            }
        };
        members.push(member);
        at += length;
    }
    members
}

/// How many tokens a constant, a type or a macro call takes up.
fn other_length(tokens: &[TokenTree]) -> usize {
    let mut walk = Walk::new(tokens);
    walk.attributes();
    if let Keyword::Other(None) = walk.keyword() {
        return tokens.len();
    }
    let mut after_bang = false;
    while let Some(token) = walk.next() {
        let ends_call = after_bang && is_group(Some(token), Delimiter::Brace);
        if ends_call || is_punct(Some(token), ';') {
            break;
        }
        after_bang = is_punct(Some(token), '!');
    }
    walk.at()
}

/// A type as one would write it, without needless spaces.
fn compact(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) => {
                let inside = compact(&super::open(group.stream()));
                match group.delimiter() {
                    Delimiter::Parenthesis => format!("({inside})"),
                    Delimiter::Bracket => format!("[{inside}]"),
                    Delimiter::Brace => format!("{{{inside}}}"),
                    Delimiter::None => inside,
                }
            }
            // A raw identifier is shown as it is in `module_path!`.
            token => token.to_string().trim_start_matches("r#").to_owned(),
        };
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let words_meet = text.ends_with(is_word) && token.starts_with(is_word);
        if words_meet || text.ends_with([',', ';']) {
            text.push(' ');
        }
        text.push_str(&token);
    }
    text
}

//! What the attribute stands on: a function, an impl block, or something that cannot be limited.
//!
//! The tokens are walked here and never parsed by syn, so that whatever Rust accepts, now or later, comes out as
//! it went in. What must stay true: a body is one opaque [`TokenStream`]. To take it apart and put it together
//! again would cost time, and would make the compiler forget which tokens came from one fragment of a
//! `macro_rules!` macro; where that cannot be avoided, [`open`] keeps their meaning.

mod block;
mod body;
mod fragment;
mod function;
mod names;
pub(crate) mod placement;
mod walk;

use proc_macro2::{TokenStream, TokenTree};

use self::walk::{Keyword, Walk};
pub(crate) use self::{
    block::{Block, Member},
    body::{Code, braced},
    fragment::open,
    function::Function,
    names::Names,
    walk::is_group,
};

/// The annotated item.
pub(crate) enum Item {
    Function(Function),
    Block(Block),
    /// Something else: the token that says so, if there is any token at all.
    Other(Option<TokenTree>),
}

impl Item {
    pub(crate) fn read(item: TokenStream) -> Self {
        let tokens = open(item);
        let mut walk = Walk::new(&tokens);
        walk.attributes();
        match walk.keyword() {
            Keyword::Fn => match Function::read(&tokens) {
                Some((function, length)) if length == tokens.len() => Self::Function(function),
                _ => Self::Other(tokens.last().cloned()),
            },
            Keyword::Impl => {
                Block::read(&tokens).map_or_else(|| Self::Other(tokens.last().cloned()), Self::Block)
            }
            Keyword::Other(token) => Self::Other(token.cloned()),
        }
    }
}

//! None-delimited groups: what `macro_rules!` puts around a fragment such as `$e:expr` or `$body:block`.
//!
//! The compiler honours such a group only as long as nobody takes the stream that holds it apart: from a stream
//! that a macro has put together it ignores them, and `$n * 2` with `1 + 1` for `$n` would be 3. So a stream is
//! taken apart in one place only, which is here, and a fragment that would be torn apart gets parentheses.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use syn::Expr;

use super::walk::{is_group, is_ident, is_punct};

/// Whether there is no None-delimited group among these.
pub(super) fn is_open(trees: &[TokenTree]) -> bool {
    !trees.iter().any(|tree| is_group(Some(tree), Delimiter::None))
}

/// The tokens of a stream, those of None-delimited groups among them instead of the groups. The groups inside
/// other delimiters stay as they are.
pub(crate) fn open(stream: TokenStream) -> Vec<TokenTree> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    if is_open(&trees) {
        return trees;
    }
    let mut opened = Vec::with_capacity(trees.len());
    let mut trees = trees.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                let inside = open(group.stream());
                if inside.len() > 1 && is_torn(&inside, &opened, trees.peek()) {
                    let mut parens = Group::new(Delimiter::Parenthesis, inside.into_iter().collect());
                    // Ours, or `unused_parens` would call them the user's.
                    parens.set_span(Span::mixed_site());
                    opened.push(parens.into());
                } else {
                    opened.extend(inside);
                }
            }
            tree => opened.push(tree),
        }
    }
    opened
}

/// Whether the neighbours of a fragment would take a part of it for themselves.
fn is_torn(inside: &[TokenTree], before: &[TokenTree], after: Option<&TokenTree>) -> bool {
    if is_ident(inside.first(), "dyn") || is_ident(inside.first(), "impl") {
        return is_pointer(before) && inside.iter().any(|token| is_punct(Some(token), '+'));
    }
    let (preceded, followed) = (binds_right(before), after.is_some_and(binds_left));
    if !preceded && !followed {
        return false;
    }
    match syn::parse2(inside.iter().cloned().collect()) {
        Ok(Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Assign(_) | Expr::Closure(_)) => true,
        Ok(Expr::Unary(_) | Expr::Reference(_)) => followed,
        _ => false,
    }
}

/// Whether this token takes an operand on its left. A pair of parentheses too many does no harm here.
fn binds_left(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => match punct.as_char() {
            ',' | ';' => false,
            '=' => punct.spacing() == Spacing::Joint,
            _ => true,
        },
        TokenTree::Ident(ident) => ident == "as",
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Literal(_) => false,
    }
}

/// Whether the last of these tokens takes an operand on its right.
fn binds_right(tokens: &[TokenTree]) -> bool {
    let [before @ .., TokenTree::Punct(last)] = tokens else {
        return false;
    };
    let first_half = match before.last() {
        Some(TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint => Some(punct.as_char()),
        _ => None,
    };
    !matches!((first_half, last.as_char()), (_, ',' | ';' | ':') | (None, '=') | (Some('-' | '='), '>'))
}

/// Whether these tokens end with `&`, `&'a`, `&mut`, `*const` or `*mut`, behind which a sum of traits needs
/// parentheses.
fn is_pointer(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Punct(tick), TokenTree::Ident(_)] if tick.as_char() == '\'' => true,
        [.., TokenTree::Ident(word)] => word == "mut" || word == "const",
        [.., last] => is_punct(Some(last), '&'),
        [] => false,
    }
}

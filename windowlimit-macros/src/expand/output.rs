//! The return type once more, in the body: what may not be written there, or would be seen there, is left to
//! inference. The spans stay, since errors about the type are shown at them.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use crate::item::{is_group, open};

/// A type with `_` for each `impl Trait` in it, which may not be written in an expression, and `'_` for each
/// lifetime: one that is named in a body is needed there, and lints would no longer call it needless. Where the type
/// has a signature in it, such as `fn(&'a str)`, `'_` would be another lifetime, and the names stay.
pub(super) fn in_body(tokens: &[TokenTree]) -> TokenStream {
    inferred(tokens, !has_signature(tokens))
}

fn inferred(tokens: &[TokenTree], lifetimes: bool) -> TokenStream {
    let mut output = TokenStream::new();
    let mut depth: usize = 0;
    let (mut hidden, mut arrow, mut tick) = (false, false, false);
    for token in tokens {
        let (after_arrow, after_tick) = (std::mem::take(&mut arrow), std::mem::take(&mut tick));
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '-' => arrow = true,
                '\'' => tick = true,
                '<' if hidden => depth += 1,
                '>' if hidden && !after_arrow && depth > 0 => depth -= 1,
                ',' | ';' if hidden && depth == 0 => hidden = false,
                '>' if hidden && !after_arrow => hidden = false,
                _ => {}
            }
        }
        match token {
            _ if hidden => {}
            TokenTree::Ident(ident) if ident == "impl" => {
                (hidden, depth) = (true, 0);
                output.extend([underscore(ident)]);
            }
            TokenTree::Ident(ident) if after_tick && lifetimes && ident != "static" => {
                output.extend([underscore(ident)]);
            }
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                let mut rebuilt = Group::new(group.delimiter(), inferred(&open(group.stream()), lifetimes));
                rebuilt.set_span(group.span());
                output.extend([TokenTree::from(rebuilt)]);
            }
            token => output.extend([token.clone()]),
        }
    }
    output
}

fn underscore(ident: &Ident) -> TokenTree {
    Ident::new("_", ident.span()).into()
}

/// Whether there is a `for<'a>`, an `fn(..)` or an `Fn(..)` at any depth.
fn has_signature(tokens: &[TokenTree]) -> bool {
    tokens.iter().enumerate().any(|(i, token)| match token {
        TokenTree::Ident(ident) => ident == "for" || is_group(tokens.get(i + 1), Delimiter::Parenthesis),
        TokenTree::Group(group) => has_signature(&open(group.stream())),
        _ => false,
    })
}

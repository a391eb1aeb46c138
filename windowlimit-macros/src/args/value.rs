//! One value: its tokens, which go into the expansion as they came, and what syn sees in them.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, Lit, Path, Token, UnOp,
    buffer::Cursor,
    parse::{ParseStream, Parser, discouraged::Speculative},
};

use crate::item::open;

/// An expression.
pub(crate) struct Value {
    /// Only looked at.
    expr: Expr,
    /// The user's own tokens.
    tokens: TokenStream,
}

/// What a value is, as far as the macro can tell.
pub(crate) enum Shape<'v> {
    /// A literal, with a minus sign before it or not.
    Literal {
        negative: bool,
        literal: &'v Lit,
    },
    Closure {
        parameters: usize,
    },
    /// Something that only the compiler knows.
    Other,
}

impl Value {
    /// Reads one expression and stays where it is if there is none.
    pub(crate) fn parse(input: ParseStream) -> syn::Result<Self> {
        let fork = input.fork();
        let expr = fork.parse()?;
        let tokens = between(input.cursor(), fork.cursor());
        input.advance_to(&fork);
        Ok(Self { expr, tokens })
    }

    pub(crate) fn tokens(&self) -> &TokenStream {
        &self.tokens
    }

    pub(crate) fn shape(&self) -> Shape<'_> {
        match bare(&self.expr) {
            Expr::Lit(literal) => Shape::Literal { negative: false, literal: &literal.lit },
            Expr::Closure(closure) => Shape::Closure { parameters: closure.inputs.len() },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match bare(&unary.expr) {
                Expr::Lit(literal) => Shape::Literal { negative: true, literal: &literal.lit },
                _ => Shape::Other,
            },
            _ => Shape::Other,
        }
    }

    /// Whether an operator of this value would be taken apart by a `&` before it.
    pub(crate) fn needs_parentheses(&self) -> bool {
        matches!(
            bare(&self.expr),
            Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Assign(_) | Expr::Closure(_)
        )
    }

    /// Whether the expression may bind names of its own: by a statement, or as the parameters of a closure.
    pub(crate) fn binds_names(&self) -> bool {
        const WORDS: [&str; 4] = ["let", "match", "for", "fn"];
        fn bind(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Ident(ident) => WORDS.iter().any(|word| ident == word),
                TokenTree::Punct(punct) => punct.as_char() == '|',
                TokenTree::Group(group) => bind(group.stream()),
                TokenTree::Literal(_) => false,
            })
        }
        bind(self.tokens.clone())
    }

    /// Whether the expression may be one that never comes back, such as `panic!()` or a call of `exit`.
    pub(crate) fn may_diverge(&self) -> bool {
        !matches!(
            bare(&self.expr),
            Expr::Lit(_) | Expr::Path(_) | Expr::Field(_) | Expr::Closure(_) | Expr::Struct(_)
        )
    }

    pub(crate) fn is_unit(&self) -> bool {
        matches!(bare(&self.expr), Expr::Tuple(tuple) if tuple.elems.is_empty())
    }

    /// The value as the name of a variable.
    pub(crate) fn as_ident(&self) -> Option<&Ident> {
        match bare(&self.expr) {
            Expr::Path(path) if path.attrs.is_empty() => path
                .path
                .get_ident()
                .filter(|ident| !["self", "Self", "crate", "super"].iter().any(|word| *ident == word)),
            _ => None,
        }
    }

    /// Whether this is a path without arguments, as in `use`.
    pub(crate) fn is_module_path(&self) -> bool {
        match bare(&self.expr) {
            Expr::Path(path) => {
                path.qself.is_none() && path.path.segments.iter().all(|segment| segment.arguments.is_none())
            }
            _ => false,
        }
    }

    pub(crate) fn is_macro_call(&self) -> bool {
        matches!(bare(&self.expr), Expr::Macro(_))
    }

    /// The elements of `[a, b]`.
    pub(crate) fn elements(&self) -> Option<Vec<Self>> {
        match bare(&self.expr) {
            Expr::Array(_) => self.list(Delimiter::Bracket),
            _ => None,
        }
    }

    /// The fields of `(a, b)`.
    pub(crate) fn fields(&self) -> Option<Vec<Self>> {
        match bare(&self.expr) {
            Expr::Tuple(_) => self.list(Delimiter::Parenthesis),
            _ => None,
        }
    }

    /// The path and the arguments of `path(a, b)`, or of `path` alone.
    pub(crate) fn as_call(&self) -> Option<(&Path, Option<Vec<Self>>)> {
        match bare(&self.expr) {
            Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() => Some((&path.path, None)),
            Expr::Call(call) => match bare(&call.func) {
                Expr::Path(path) => Some((&path.path, Some(arguments(open(self.tokens.clone()))?))),
                _ => None,
            },
            _ => None,
        }
    }

    fn list(&self, delimiter: Delimiter) -> Option<Vec<Self>> {
        let mut tokens = open(self.tokens.clone());
        for _ in 0..parentheses(&self.expr) {
            match tokens.as_slice() {
                [TokenTree::Group(group)] => tokens = open(group.stream()),
                _ => return None,
            }
        }
        match tokens.as_slice() {
            [TokenTree::Group(group)] if group.delimiter() == delimiter => Self::separated(group),
            _ => None,
        }
    }

    /// The values in a group, between its commas.
    fn separated(group: &Group) -> Option<Vec<Self>> {
        let inside = open(group.stream()).into_iter().collect();
        let list = |input: ParseStream| {
            let mut values = Vec::new();
            while !input.is_empty() {
                values.push(Self::parse(input)?);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(values)
        };
        list.parse2(inside).ok()
    }
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// The arguments of a call, which may stand in parentheses of its own.
fn arguments(mut tokens: Vec<TokenTree>) -> Option<Vec<Value>> {
    while let [TokenTree::Group(whole)] = tokens.as_slice() {
        tokens = open(whole.stream());
    }
    match tokens.last() {
        Some(TokenTree::Group(group)) => Value::separated(group),
        _ => None,
    }
}

/// An expression without the parentheses and invisible groups around it.
fn bare(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Group(group) => &group.expr,
            Expr::Paren(paren) => &paren.expr,
            _ => return expr,
        };
    }
}

/// How many pairs of parentheses stand around an expression.
fn parentheses(mut expr: &Expr) -> usize {
    let mut count = 0;
    loop {
        expr = match expr {
            Expr::Group(group) => &group.expr,
            Expr::Paren(paren) => {
                count += 1;
                &paren.expr
            }
            _ => return count,
        };
    }
}

/// The tokens between two places of one stream. Their groups are passed on whole.
fn between(mut from: Cursor<'_>, to: Cursor<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while from != to {
        let Some((token, next)) = from.token_tree() else {
            break;
        };
        tokens.extend([token]);
        from = next;
    }
    tokens
}

/// The first of these tokens, at any depth, for which the predicate holds.
pub(crate) fn find_ident(
    tokens: &TokenStream,
    wanted: &mut impl FnMut(Neighbours<'_>) -> bool,
) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().find_map(|(i, token)| match token {
        TokenTree::Ident(ident) => {
            let before = i.checked_sub(1).and_then(|i| tokens.get(i));
            wanted(Neighbours { before, ident, after: tokens.get(i + 1) }).then(|| ident.clone())
        }
        TokenTree::Group(group) => find_ident(&Group::stream(group), wanted),
        _ => None,
    })
}

/// An identifier between its neighbours.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'t> {
    before: Option<&'t TokenTree>,
    pub(crate) ident: &'t Ident,
    after: Option<&'t TokenTree>,
}

impl Neighbours<'_> {
    /// Whether a name is looked up here: not a field, and not a later part of a path.
    pub(crate) fn is_looked_up(&self) -> bool {
        !is_one_of(self.before, &['.', ':', '\''])
    }

    /// Whether the identifier may be a variable: looked up, and neither the first part of a path nor a macro.
    pub(crate) fn may_be_variable(&self) -> bool {
        self.is_looked_up() && !is_one_of(self.after, &[':', '!'])
    }
}

fn is_one_of(token: Option<&TokenTree>, chars: &[char]) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if chars.contains(&punct.as_char()))
}

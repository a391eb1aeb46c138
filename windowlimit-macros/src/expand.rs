//! From arguments and item to tokens. This file and its children are the only ones that quote.
//!
//! ```text
//! <head, as it came>
//! {                                            // the user's braces
//!     <inner attributes>
//!     {
//!         if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(&__WINDOWLIMIT) {
//!             return <RETURN_TYPE as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
//!         }
//!         use ::windowlimit::__private as __windowlimit;
//!         static __WINDOWLIMIT: __windowlimit::Limiter = __windowlimit::limiter(..);
//!     }
//!     {                                        // the user's braces, a second time
//!         const _: () = ();                    // where the body is one expression: keeps `unused_braces` quiet
//!         <body, as it came>
//!     }
//! }
//! ```
//!
//! Written twice, the attribute makes two guards before one pair of braces, in the order of the text.
//!
//! What must stay true: the body is wrapped in nothing but braces. No closure, no function and no `async` block,
//! so `return`, `?`, `.await`, borrows, inference and `#[track_caller]` are as without the attribute. Every other
//! token has the span `mixed_site`, by which the compiler and clippy know that it is not the user's. No attribute
//! that silences a lint is ever made.

mod guard;
mod limiter;
mod output;
mod shared;
mod wait;

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::Lit;

use self::{
    guard::{Guard, Output},
    wait::Turn,
};
use crate::{
    args::{Args, Given, Value},
    error::Errors,
    item::{Block, Code, Function, Item, Member, braced, placement},
};

/// `#[window_rate_limit(args)] item`.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let unread = item.clone();
    let mut tokens = match Item::read(item) {
        Item::Function(function) => expand_function(args, function, &mut errors),
        Item::Block(block) => expand_block(&args, block, &mut errors),
        Item::Other(keyword) => {
            placement::report(keyword, &mut errors);
            Given::read(args, &mut errors);
            unread
        }
    };
    tokens.extend(errors.into_tokens());
    tokens
}

/// `#[__from_impl("Type", args)] method`, which [`expand_block`] has written.
pub(crate) fn expand_method(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut args = args.into_iter();
    let tokens = match (Item::read(item.clone()), args.next()) {
        (Item::Function(method), Some(TokenTree::Literal(self_type))) => {
            args.next();
            let given = Given::read(args.collect(), &mut errors);
            let owner = match Lit::new(self_type) {
                Lit::Str(self_type) => Owner::Type(self_type.value()),
                _ => Owner::Module,
            };
            guard_function(&given, &method, &owner, &mut errors)
        }
        // Nothing to do: the block had errors.
        _ => item,
    };
    tokens.into_iter().chain(errors.into_tokens()).collect()
}

fn expand_function(args: TokenStream, mut function: Function, errors: &mut Errors) -> TokenStream {
    let in_block = function.take_marker();
    let given = Given::read(args, errors);
    if given.check_skip(in_block, errors) {
        return function.unguarded();
    }
    guard_function(&given, &function, &Owner::Module, errors)
}

/// What stands before the function in the name of its limiter.
enum Owner {
    Module,
    /// The module and this type, whose impl block has the attribute.
    Type(String),
}

fn guard_function(given: &Given, function: &Function, owner: &Owner, errors: &mut Errors) -> TokenStream {
    let args = Args::check(given, &function.names(), errors);
    let answers = given.has("fallback");
    placement::check(function, answers, matches!(owner, Owner::Type(_)), errors);
    match (args, function.place()) {
        (Some(args), Some(place)) if errors.is_empty() => {
            let site = Span::mixed_site();
            let guard = Guard {
                args: &args,
                krate: krate_or_default(given.krate()),
                is_async: function.asyncness || place.is_async_block(),
                name: name_of(function, args.name, owner),
                turn: if function.asyncness || place.is_async_block() { Turn::Async } else { Turn::Blocking },
                output: match function.output().unwrap_or_default() {
                    output if place.is_async_block() => Output::Inferred(output),
                    output => Output::Written(output),
                },
            };
            let body = match &place.code {
                // Two statements, or `unused_braces` would find fault with a body of one expression. A constant takes the
                // compiler as long as a small function, so that a body that has more already goes without.
                Code::Bare(code) if has_statements(code) => &braced(code.clone(), place.braces),
                Code::Bare(code) => &braced(quote_spanned!(site=> const _: () = (); #code), place.braces),
                Code::Guarded(body) => body,
            };
            let front = &place.front;
            let inside = quote_spanned!(site=> #front #guard #body);
            function.head().iter().cloned().chain([place.fill(inside)]).collect()
        }
        _ => function.unguarded(),
    }
}

/// Whether a body is more than an expression, as far as can be told without reading it.
fn has_statements(code: &TokenStream) -> bool {
    code.clone().into_iter().any(|token| matches!(token, TokenTree::Punct(end) if end.as_char() == ';'))
}

fn expand_block(args: &TokenStream, block: Block, errors: &mut Errors) -> TokenStream {
    let given = Given::read(args.clone(), errors);
    if let Some(skip) = given.name("skip") {
        errors.at(skip, "`skip` belongs on a method of an impl block that has the attribute");
    } else {
        Args::check(&given, &block.names, errors);
    }
    if !block.has_methods() {
        errors.at(
            &block.keyword,
            "there is no method to limit in this block; what a macro makes inside of it is not seen",
        );
    }
    let site = Span::mixed_site();
    let krate = krate_or_default(given.krate());
    // Without arguments the marker does nothing: the errors have been reported, and `skip` still has its block.
    let marker_args = errors.is_empty().then(|| {
        let self_type = Literal::string(&block.self_type);
        quote_spanned!(site=> #self_type, #args)
    });
    let marker = quote_spanned!(site=> #[#krate::__private::__from_impl(#marker_args)]);
    block.rebuild(|member| match member {
        Member::Method(method) => {
            let (attributes, signature) = method.split_head();
            let body = &method.body;
            quote_spanned!(site=> #(#attributes)* #marker #(#signature)* #body)
        }
        Member::Other(tokens) => tokens.into_iter().collect(),
    })
}

/// The name of the limiter, as an expression.
fn name_of(function: &Function, given: Option<&Value>, owner: &Owner) -> TokenStream {
    let site = Span::mixed_site();
    let function = function.name.to_string();
    let function = function.trim_start_matches("r#");
    let (before, rest) = match (owner, given) {
        (Owner::Module, Some(name)) => return name.tokens().clone(),
        // The methods of a block have windows of their own, and so they have names of their own.
        (Owner::Type(_), Some(name)) => (name.tokens().clone(), format!("::{function}")),
        (Owner::Module, None) => (module_path(site), format!("::{function}")),
        (Owner::Type(self_type), None) => (module_path(site), format!("::{self_type}::{function}")),
    };
    quote_spanned!(site=> __windowlimit::concat!(#before, #rest))
}

fn module_path(site: Span) -> TokenStream {
    quote_spanned!(site=> __windowlimit::module_path!())
}

fn krate_or_default(krate: Option<&TokenStream>) -> TokenStream {
    krate.cloned().unwrap_or_else(|| quote_spanned!(Span::mixed_site()=> ::windowlimit))
}

//! The limiter: a static of the function's own, or one that was given.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use super::guard::{borrow, call, first_of};
use crate::args::{Algorithm, Element, Key, Limits, Number, Rate, Value, Window};

/// The static that holds the limiter. Not `const` unless the macro has seen every number. It is told where it stands, so
/// that its first call can enter it in the registry; its place in the source is that of the call that makes it.
pub(super) fn make(
    limits: &Limits,
    algorithm: &Algorithm,
    key: Option<&Key>,
    name: &TokenStream,
) -> TokenStream {
    let site = Span::mixed_site();
    let (class, one, all, at_run_time) = match key {
        None => ("Limiter", "limiter", "limiters", "limiters_at_run_time"),
        Some(_) => ("KeyedLimiter", "keyed", "keyed_all", "keyed_at_run_time"),
    };
    let (class, at_run_time) = (Ident::new(class, site), Ident::new(at_run_time, site));
    let (one, all) = (Ident::new(one, site), Ident::new(all, site));
    let (mut is_literal, mut limiter) = match limits {
        Limits::One(rate) => {
            let limit = fallible(rate);
            (rate.is_literal(), quote_spanned!(site=> __windowlimit::#one(#limit, #name, &__WINDOWLIMIT)))
        }
        Limits::List(elements) if elements.iter().all(Element::is_literal) => {
            let limits = elements.iter().map(literal);
            (
                true,
                quote_spanned!(site=> __windowlimit::#all(const { &[#(#limits),*] }, #name, &__WINDOWLIMIT)),
            )
        }
        Limits::List(elements) => {
            let limits = elements.iter().map(|element| match element {
                Element::Rate(rate) => fallible(rate),
                Element::Expression(limit) => quote_spanned!(site=> __windowlimit::Ok(#limit)),
            });
            (false, quote_spanned!(site=> __windowlimit::#at_run_time([#(#limits),*], #name, &__WINDOWLIMIT)))
        }
        Limits::Expression(limits) => {
            (false, quote_spanned!(site=> __windowlimit::#at_run_time(#limits, #name, &__WINDOWLIMIT)))
        }
        Limits::OfCalls(window) => {
            let limit = limit_of(&Number::Literal(1), window);
            (
                window.is_literal(),
                quote_spanned!(site=> __windowlimit::keyed_for(#limit, #name, &__WINDOWLIMIT)),
            )
        }
    };
    if let Some(algorithm) = with(algorithm) {
        limiter = quote_spanned!(site=> #limiter.with_algorithm(#algorithm));
    }
    if let Some(max_keys) = key.and_then(|key| key.max_keys.as_ref()) {
        is_literal &= matches!(max_keys, Number::Literal(_));
        let max_keys = number(max_keys);
        limiter = quote_spanned!(site=> #limiter.with_max_keys(#max_keys));
    }
    if is_literal && !matches!(algorithm, Algorithm::AtRunTime(_)) {
        quote_spanned!(site=> static __WINDOWLIMIT: __windowlimit::#class = #limiter;)
    } else {
        quote_spanned! {site=>
            static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::#class> = __windowlimit::Lazy::new(|| #limiter);
        }
    }
}

/// The `let` that borrows the limiter that was given. An expected type would be handed on to the branches of an
/// `if` or `match`, each of which would then have to be a limiter and not a reference to one.
pub(super) fn borrowed(value: &Value) -> TokenStream {
    let borrow = borrow(value);
    quote_spanned!(Span::mixed_site()=> let __windowlimit_limiter = #borrow;)
}

/// The variable that [`borrowed`] makes.
pub(super) fn local(value: &Value) -> TokenStream {
    Ident::new("__windowlimit_limiter", first_of(value)).into_token_stream()
}

/// The limiter behind this variable, or an error that says what it should be.
pub(super) fn looked_through(value: &Value, is_keyed: bool, local: &TokenStream) -> TokenStream {
    call(if is_keyed { "keyed_of" } else { "limiter_of" }, value.tokens(), local)
}

/// One limit, as a `Result`.
pub(super) fn fallible(rate: &Rate) -> TokenStream {
    limit_of(&rate.max, &rate.window)
}

pub(super) fn limit_of(max: &Number<u32>, window: &Window) -> TokenStream {
    let site = Span::mixed_site();
    let max = number(max);
    match window {
        Window::Millis(millis) => {
            let millis = number(millis);
            quote_spanned!(site=> __windowlimit::millis(#max, #millis))
        }
        Window::Nanos(nanos) => {
            let nanos = number(&Number::Literal(*nanos));
            quote_spanned!(site=> __windowlimit::nanos(#max, #nanos))
        }
        Window::Duration(duration) => quote_spanned!(site=> __windowlimit::span(#max, #duration)),
    }
}

/// One limit whose numbers have been checked.
fn literal(element: &Element) -> TokenStream {
    match element {
        Element::Rate(Rate { max, window: Window::Nanos(nanos) }) => {
            let (max, nanos) = (number(max), number(&Number::Literal(*nanos)));
            quote_spanned!(Span::mixed_site()=> __windowlimit::literal(#max, #nanos))
        }
        _ => unreachable!("an element of literals has a window of text"),
    }
}

/// The algorithm of a limiter, as an expression; that of the exact window needs none.
pub(super) fn with(algorithm: &Algorithm) -> Option<TokenStream> {
    let site = Span::mixed_site();
    Some(match algorithm {
        Algorithm::Exact => return None,
        Algorithm::Fixed => quote_spanned!(site=> __windowlimit::Algorithm::Fixed),
        Algorithm::Segmented(segments) => {
            let segments = number(&Number::Literal(*segments));
            quote_spanned!(site=> __windowlimit::Algorithm::Segmented(#segments))
        }
        Algorithm::SegmentedBy(nanos) => {
            let nanos = number(&Number::Literal(*nanos));
            quote_spanned!(site=> __windowlimit::Algorithm::SegmentedBy(__windowlimit::Duration::from_nanos(#nanos)))
        }
        Algorithm::AtRunTime(segments) => call("segmented", segments, segments),
    })
}

/// A literal that clippy does not take for the user's, or the user's expression.
pub(super) fn number<T: Copy + Into<u64>>(number: &Number<T>) -> TokenStream {
    match number {
        Number::Literal(number) => {
            let mut literal = Literal::u64_unsuffixed((*number).into());
            literal.set_span(Span::mixed_site());
            literal.into_token_stream()
        }
        Number::Expression(tokens) => tokens.clone(),
    }
}

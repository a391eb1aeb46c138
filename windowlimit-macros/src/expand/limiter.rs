//! The limiter: one of the function's own, in a static, or one that was given.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use super::guard::{borrow, call, first_of};
use crate::args::{Algorithm, Element, Key, Limits, Number, Rate, Value, Window};

/// The limiter of a function.
pub(super) struct Own {
    /// The static in which it lives. The limiter is told where that is, so that it can be entered in the registry; its place
    /// in the source is that of the call that makes it.
    pub(super) home: TokenStream,
    /// An expression that refers to it.
    pub(super) limiter: TokenStream,
}

impl Own {
    /// The first call makes it, and the static is next to nothing: to evaluate a limiter takes the compiler longer than all the
    /// rest of an attribute.
    pub(super) fn new(limits: &Limits, algorithm: &Algorithm, key: Option<&Key>, name: &TokenStream) -> Self {
        let site = Span::mixed_site();
        let (class, several, home, one) = match key {
            None => ("Limiter", "limiters", "LimiterHome", "limiter"),
            Some(_) => ("KeyedLimiter", "keyed_limiters", "KeyedHome", "keyed"),
        };
        let max_keys = key.and_then(|key| key.max_keys.as_ref());
        let literal = match (limits, algorithm, max_keys) {
            (Limits::One(rate), Algorithm::Exact, None) => rate.literal(),
            _ => None,
        };
        if let Some((max, nanos)) = literal {
            return Self::of_literals(home, one, max, nanos, name);
        }
        let mut made = if let Limits::OfCalls(window) = limits {
            let longest = limit_of(&Number::Literal(1), window);
            quote_spanned!(site=> __windowlimit::keyed_for(#longest, #name, &__WINDOWLIMIT))
        } else {
            let (several, limits) = (Ident::new(several, site), list(limits));
            quote_spanned!(site=> __windowlimit::#several(#limits, #name, &__WINDOWLIMIT))
        };
        if let Some(algorithm) = with(algorithm) {
            made = quote_spanned!(site=> #made.with_algorithm(#algorithm));
        }
        if let Some(max_keys) = max_keys {
            let max_keys = number(max_keys);
            made = quote_spanned!(site=> #made.with_max_keys(#max_keys));
        }
        Self::made(class, &made)
    }

    /// Where one limit of literals is all there is to say, the call says it, which is less to compile than a closure.
    fn of_literals(home: &str, one: &str, max: u32, nanos: u64, name: &TokenStream) -> Self {
        let site = Span::mixed_site();
        let (home, one) = (Ident::new(home, site), Ident::new(one, site));
        let (max, nanos) = (number(&Number::Literal(max)), number(&Number::Literal(nanos)));
        Self {
            home: quote_spanned! {site=>
                static __WINDOWLIMIT: __windowlimit::#home = __windowlimit::#home::EMPTY;
            },
            limiter: quote_spanned!(site=> __windowlimit::#one(&__WINDOWLIMIT, #max, #nanos, #name)),
        }
    }

    /// Expressions of the user's stand in the static, where nothing of a single call can be seen: what they give is for all
    /// calls.
    pub(super) fn made(class: &str, made: &TokenStream) -> Self {
        let site = Span::mixed_site();
        let class = Ident::new(class, site);
        Self {
            home: quote_spanned! {site=>
                static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::#class> = __windowlimit::Lazy::new(|| #made);
            },
            limiter: quote_spanned!(site=> &__WINDOWLIMIT),
        }
    }
}

/// All limits, as an array of results or as what was given.
pub(super) fn list(limits: &Limits) -> TokenStream {
    let site = Span::mixed_site();
    match limits {
        Limits::One(rate) => {
            let limit = fallible(rate);
            quote_spanned!(site=> [#limit])
        }
        Limits::List(elements) => {
            let limits = elements.iter().map(|element| match element {
                Element::Rate(rate) => fallible(rate),
                Element::Expression(limit) => quote_spanned!(site=> __windowlimit::Ok(#limit)),
            });
            quote_spanned!(site=> [#(#limits),*])
        }
        Limits::Expression(limits) => limits.to_token_stream(),
        Limits::OfCalls(_) => unreachable!("these come with the calls"),
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

//! The limiter of a window that is shared, and the decision on it: a call is made of what the expressions give, which are
//! let go, and then decided on, which takes a while.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::{
    guard::{Guard, borrow, borrowed_key, call, cost_of_call, first_of},
    limiter::{Own, limit_of, list, number, with},
    wait,
};
use crate::args::{Algorithm, Key, Limits, Number, OnError, Store};

/// The limiter of a function, made by the first call.
pub(super) fn make(
    store: &Store,
    limits: &Limits,
    algorithm: &Algorithm,
    key: Option<&Key>,
    name: &TokenStream,
) -> Own {
    let site = Span::mixed_site();
    let borrowed = borrow(store.value);
    let mut builder = call("shared", store.value.tokens(), &quote_spanned!(site=> #borrowed, #name));
    if let Some(algorithm) = with(algorithm) {
        builder = quote_spanned!(site=> #builder.algorithm(#algorithm));
    }
    let word = match store.on_error {
        OnError::Local => None,
        OnError::Allow => Some("Allow"),
        OnError::Deny => Some("Deny"),
    };
    if let Some(word) = word {
        let word = Ident::new(word, site);
        builder = quote_spanned!(site=> #builder.on_store_error(__windowlimit::OnStoreError::#word));
    }
    if let Some(max_keys) = key.and_then(|key| key.max_keys.as_ref()) {
        let max_keys = number(max_keys);
        builder = quote_spanned!(site=> #builder.max_keys(#max_keys));
    }
    let limiter = if let Limits::OfCalls(window) = limits {
        let longest = limit_of(&Number::Literal(1), window);
        quote_spanned!(site=> __windowlimit::shared_limiter_for(#builder, #longest))
    } else {
        let limits = list(limits);
        quote_spanned!(site=> __windowlimit::shared_limiter(#builder, #limits))
    };
    Own::made("SharedLimiter", &limiter)
}

/// The `let` that makes the call, and the expression that decides on it: by this function, or by its async twin; of one that
/// waits, that which has its turn.
pub(super) fn decision(
    guard: &Guard<'_>,
    function: &str,
    limiter: &TokenStream,
) -> (TokenStream, TokenStream) {
    let site = Span::mixed_site();
    let args = guard.args;
    let (first, cost) = cost_of_call(args.cost.as_ref().unwrap_or(&Number::Literal(1)));
    let made = match &args.key {
        None if first.is_empty() => {
            quote_spanned!(site=> __windowlimit::shared_call(#limiter, &(), #cost))
        }
        None => quote_spanned!(site=> { #first __windowlimit::shared_call(#limiter, &(), #cost) }),
        Some(key) => {
            let value = call("store_key", key.value.tokens(), &borrowed_key(key.value));
            let site = first_of(key.value);
            let made = match key.limit_for {
                None => {
                    quote_spanned!(site=> #first __windowlimit::shared_call(#limiter, __windowlimit_key, #cost))
                }
                Some(limits) => {
                    let limits = call("limits_for", limits.tokens(), &borrow(limits));
                    quote_spanned! {site=>
                        let __windowlimit_limits = #limits;
                        #first
                        __windowlimit::shared_call_for(#limiter, __windowlimit_key, &__windowlimit_limits, #cost)
                    }
                }
            };
            quote_spanned!(site=> match #value { __windowlimit_key => { #made } })
        }
    };
    let before = quote_spanned!(site=> let __windowlimit_call = #made;);
    if let Some(wait) = &args.wait {
        let waiting = wait::waiting(wait);
        return (before, quote_spanned!(site=> __windowlimit::wait_call(__windowlimit_call, #waiting)));
    }
    let suffix = if guard.is_async { "_async" } else { "" };
    let function = Ident::new(&format!("{function}_call{suffix}"), site);
    let mut decided = quote_spanned!(site=> __windowlimit::#function(__windowlimit_call));
    if guard.is_async {
        decided = quote_spanned!(site=> #decided.await);
    }
    (before, decided)
}

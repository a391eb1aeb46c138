//! Where the attribute may stand, and what to say where it may not.

use proc_macro2::TokenTree;

use super::{
    Function,
    body::{is_visibly_future, last_statement},
    walk::is_punct,
};
use crate::error::Errors;

const SKIP: &str = ", or leave the method out with `#[window_rate_limit(skip)]`";

/// Reports an item that is neither a function nor an impl block.
pub(crate) fn report(keyword: Option<TokenTree>, errors: &mut Errors) {
    const MESSAGE: &str =
        "`#[window_rate_limit]` stands on a function or method with a body, or on an `impl` block";
    match keyword {
        Some(keyword) => errors.at(keyword, MESSAGE),
        None => errors.at_attribute(MESSAGE),
    }
}

/// Reports what keeps a function from being limited. `fallback` gives every return type an answer.
pub(crate) fn check(function: &Function, fallback: bool, in_block: bool, errors: &mut Errors) {
    let skip = if in_block { SKIP } else { "" };
    if let Some(constness) = &function.constness {
        errors.at(
            constness,
            format_args!("a `const fn` cannot be limited, since it cannot count: remove `const`{skip}"),
        );
    }
    let (Some(body), Some(place)) = (&function.body, function.place()) else {
        errors.at(
            &function.name,
            "there is no body to limit: `#[window_rate_limit]` stands on a function or method with a body",
        );
        return;
    };
    if place.is_async_block() {
        for early in place.early_returns() {
            errors.at(
                early,
                "this `return` would get round the limit, which is checked at the first poll of the `async` block \
                 at the end: move it into that block, or write an `async fn`",
            );
        }
        return;
    }
    match function.output() {
        Some(output) if !function.asyncness && is_visibly_future(output) => {
            let last = last_statement(body);
            let place = if last.is_empty() { output } else { &last };
            errors.at(
                place.iter().cloned().collect::<proc_macro2::TokenStream>(),
                format_args!(
                    "a call is counted when its future is first polled, and here is no `async` block to do it: end \
                     with `async move {{ .. }}` or `Box::pin(async move {{ .. }})`, or write an `async fn`{skip}",
                ),
            );
        }
        Some(never @ [only]) if is_punct(Some(only), '!') && !fallback => errors.at(
            never.iter().cloned().collect::<proc_macro2::TokenStream>(),
            format_args!("a function that never returns cannot return a refusal: write `fallback = EXPR`{skip}"),
        ),
        None if !fallback => errors.at(
            &function.name,
            format_args!("a refused call of a function that returns nothing would not be noticed: return `Result`, or write `fallback = EXPR`{skip}"),
        ),
        _ => {}
    }
}

//! The errors of one expansion: all of them are gathered, and the item always comes out beside them.
//!
//! What must stay true: no error is lost (a collector that is dropped unread panics where debug assertions are
//! on), and no panic of ours reaches the compiler, since an editor may hand over anything.

use std::{
    any::Any,
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    found: Option<syn::Error>,
    read: bool,
}

impl Errors {
    /// A mistake at these tokens.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(place, message));
    }

    /// A mistake of the attribute as a whole, such as something that is missing.
    pub(crate) fn at_attribute(&mut self, message: impl Display) {
        self.push(syn::Error::new(Span::call_site(), message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_none()
    }

    /// The errors as tokens that make the compiler show them; nothing where there are none.
    pub(crate) fn into_tokens(mut self) -> TokenStream {
        self.read = true;
        self.found.take().map(syn::Error::into_compile_error).unwrap_or_default()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        let excused = self.read || std::thread::panicking();
        debug_assert!(excused, "the errors of an expansion were not read");
    }
}

/// Runs an expansion; should it panic, the item comes out as it went in, beside an error that asks for a report.
pub(crate) fn caught(
    args: TokenStream,
    item: TokenStream,
    expand: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    let unguarded = item.clone();
    // Nothing that could be left half done outlives the closure.
    catch_unwind(AssertUnwindSafe(|| expand(args, item))).unwrap_or_else(|panic| {
        let mut errors = Errors::default();
        errors.at_attribute(format_args!(
            "`#[window_rate_limit]` failed on this function, which is a bug in windowlimit; please report it with \
             the function's signature: {}",
            text(panic.as_ref()),
        ));
        let mut tokens = unguarded;
        tokens.extend(errors.into_tokens());
        tokens
    })
}

fn text(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

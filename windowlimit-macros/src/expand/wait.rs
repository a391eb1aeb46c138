//! Waiting for the turn, in the guard of a function with `wait`: the future of a permit takes the place of a decision that
//! is made at once.
//!
//! What must stay true: nothing of the user's is borrowed while a call waits, but for the limiter. The future is made in a
//! statement of its own where a key is, at whose end the key is let go; a `.await` is in no expression of the user's.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::limiter::number;
use crate::args::{Number, Wait, Window};

/// How a body waits.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// By `.await`: an `async` function or block.
    Async,
    /// By blocking the thread.
    Blocking,
}

impl Turn {
    /// What has come of this future: a `Result` with the permit.
    pub(super) fn take(self, acquire: &TokenStream) -> TokenStream {
        let site = Span::mixed_site();
        match self {
            Self::Async => quote_spanned!(site=> #acquire.await),
            Self::Blocking => quote_spanned!(site=> #acquire.blocking()),
        }
    }
}

/// How long a call waits and how many may, as an expression.
pub(super) fn waiting(wait: &Wait) -> TokenStream {
    if wait.is_literal() { made(wait) } else { quote_spanned!(Span::mixed_site()=> *__WINDOWLIMIT_WAITING) }
}

/// The static that this takes, if the macro has not seen every number.
pub(super) fn make(wait: Option<&Wait>) -> Option<TokenStream> {
    let wait = wait.filter(|wait| !wait.is_literal())?;
    let waiting = made(wait);
    Some(quote_spanned! {Span::mixed_site()=>
        static __WINDOWLIMIT_WAITING: __windowlimit::Lazy<__windowlimit::Waiting> =
            __windowlimit::Lazy::new(|| #waiting);
    })
}

fn made(wait: &Wait) -> TokenStream {
    let site = Span::mixed_site();
    let none = || quote_spanned!(site=> __windowlimit::None);
    let longest = wait.longest.as_ref().map_or_else(none, |longest| match longest {
        Window::Millis(millis) => {
            let millis = number(millis);
            quote_spanned!(site=> __windowlimit::wait_millis(#millis))
        }
        Window::Nanos(nanos) => {
            let nanos = number(&Number::Literal(*nanos));
            quote_spanned!(site=> __windowlimit::wait_nanos(#nanos))
        }
        Window::Duration(duration) => quote_spanned!(site=> __windowlimit::wait_span(#duration)),
    });
    let most = wait.most.as_ref().map_or_else(none, |most| {
        let most = number(most);
        quote_spanned!(site=> __windowlimit::waiters(#most))
    });
    quote_spanned!(site=> __windowlimit::waiting(#longest, #most))
}

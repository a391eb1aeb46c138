//! How a refusal becomes the return value of the function that was refused.
//!
//! The type decides, through a trait: no spelling of it is looked at. A type that could only lose the refusal
//! has no implementation, and the compiler says so at the return type.

use core::{future::Future, pin::Pin};

use crate::error::RateLimitExceeded;

/// A return type that can carry a refusal.
#[diagnostic::on_unimplemented(
    message = "a refused call cannot be returned as `{Self}`: return `Result`, or write `fallback = EXPR`",
    label = "this type has no way to say that the call was refused",
    note = "`Result<T, E>` with `E: From<RateLimitExceeded>` becomes `Err`, `Option<T>` becomes `None`",
    note = "`fallback = EXPR` in the attribute gives the return value of a refused call, of any type",
    note = "a method of an `impl` block that has the attribute is left out by `#[window_rate_limit(skip)]`"
)]
pub trait Refuse {
    /// The value that says so.
    fn refuse(exceeded: RateLimitExceeded) -> Self;
}

impl<T, E: FromExceeded> Refuse for Result<T, E> {
    fn refuse(exceeded: RateLimitExceeded) -> Self {
        Err(E::from_exceeded(exceeded))
    }
}

impl<T> Refuse for Option<T> {
    fn refuse(_: RateLimitExceeded) -> Self {
        None
    }
}

impl<'a, T: Refuse + Send + 'a> Refuse for Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    fn refuse(exceeded: RateLimitExceeded) -> Self {
        Box::pin(core::future::ready(T::refuse(exceeded)))
    }
}

impl<'a, T: Refuse + 'a> Refuse for Pin<Box<dyn Future<Output = T> + 'a>> {
    fn refuse(exceeded: RateLimitExceeded) -> Self {
        Box::pin(core::future::ready(T::refuse(exceeded)))
    }
}

/// An error type that a refusal converts into: every `E: From<RateLimitExceeded>`, under a name of ours, so that
/// the compiler's message can say what to write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be built from `RateLimitExceeded`: implement `From<RateLimitExceeded>`, or write \
               `error = EXPR`",
    label = "this error type has no way to say that the call was refused",
    note = "`error = EXPR` in the attribute gives the error of a refused call"
)]
pub trait FromExceeded {
    /// The error.
    fn from_exceeded(exceeded: RateLimitExceeded) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<RateLimitExceeded>> FromExceeded for E {
    fn from_exceeded(exceeded: RateLimitExceeded) -> Self {
        exceeded.into()
    }
}

//! `limiter = EXPR`: a limiter, or whatever refers to one, and of the right kind. Traits look through the references, as
//! the compiler does by itself where it knows the type that it wants; but these can say what is wrong. Only where a permit
//! is returned, which may outlive the references, it is left to the compiler.

use std::ops::Deref;

use crate::{clock::Clock, keyed::KeyedLimiter, limiter::Limiter};

/// A [`Limiter`], or something that refers to one.
#[diagnostic::on_unimplemented(
    message = "`limiter` needs a `Limiter`, and `{Self}` is none; a `KeyedLimiter` needs `key = EXPR`",
    label = "neither a `Limiter` nor a reference to one",
    note = "a `KeyedLimiter` has a window for each key: `key = user.id` says which"
)]
pub trait Plain {
    /// That of the limiter.
    type Clock: Clock;

    /// The limiter.
    fn plain(&self) -> &Limiter<Self::Clock>;
}

impl<C: Clock> Plain for Limiter<C> {
    type Clock = C;

    #[inline]
    fn plain(&self) -> &Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Deref<Target: Plain> + ?Sized> Plain for T {
    type Clock = <T::Target as Plain>::Clock;

    #[inline]
    fn plain(&self) -> &Limiter<Self::Clock> {
        (**self).plain()
    }
}

/// A [`KeyedLimiter`], or something that refers to one.
#[diagnostic::on_unimplemented(
    message = "`key` needs a `KeyedLimiter`, and `{Self}` is none",
    label = "neither a `KeyedLimiter` nor a reference to one",
    note = "a `Limiter` has a single window: leave out `key`, or make it a `KeyedLimiter`"
)]
pub trait Keyed {
    /// That of the limiter.
    type Clock: Clock;

    /// The limiter.
    fn keyed(&self) -> &KeyedLimiter<Self::Clock>;
}

impl<C: Clock> Keyed for KeyedLimiter<C> {
    type Clock = C;

    #[inline]
    fn keyed(&self) -> &Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Deref<Target: Keyed> + ?Sized> Keyed for T {
    type Clock = <T::Target as Keyed>::Clock;

    #[inline]
    fn keyed(&self) -> &KeyedLimiter<Self::Clock> {
        (**self).keyed()
    }
}

/// The limiter that is given to a function that waits.
#[inline]
pub fn limiter_of<L: Plain + ?Sized>(limiter: &L) -> &Limiter<L::Clock> {
    limiter.plain()
}

/// The same for each key.
#[inline]
pub fn keyed_of<L: Keyed + ?Sized>(limiter: &L) -> &KeyedLimiter<L::Clock> {
    limiter.keyed()
}

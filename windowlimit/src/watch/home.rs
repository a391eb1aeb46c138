//! Where the limiters of attributes live.

use std::mem::ManuallyDrop;

use once_cell::sync::{Lazy, OnceCell};

use super::Subject;

/// A static that its first call fills with a limiter.
///
/// The compiler evaluates one for each function: of a limiter, a structure of some hundred bytes whose parts all may have
/// to be dropped, that would be more than half of what an attribute takes to compile. This is empty, and nothing is dropped.
pub struct Home<L>(ManuallyDrop<OnceCell<L>>);

impl<L> Home<L> {
    /// Nobody lives here yet.
    // A constant, since it costs less than a call where it is evaluated; each static has its own.
    #[allow(clippy::declare_interior_mutable_const)]
    pub const EMPTY: Self = Self(ManuallyDrop::new(OnceCell::new()));

    /// The limiter, if there has been a call.
    #[inline]
    pub(crate) fn get(&self) -> Option<&L> {
        self.0.get()
    }

    /// The limiter, made in this way if there has been no call.
    #[inline]
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> L) -> &L {
        self.0.get_or_init(make)
    }
}

/// A static of whatever kind of limiter.
pub trait Inhabited: Sync {
    /// The limiter, once it has been made.
    fn inhabitant(&'static self) -> Option<Found>;
}

/// A limiter that was found at its home.
pub struct Found(pub(super) &'static dyn Subject);

impl<L: Subject + 'static> Inhabited for Home<L> {
    fn inhabitant(&'static self) -> Option<Found> {
        Some(Found(self.get()?))
    }
}

impl<L: Subject + 'static> Inhabited for Lazy<L> {
    fn inhabitant(&'static self) -> Option<Found> {
        Some(Found(Self::get(self)?))
    }
}

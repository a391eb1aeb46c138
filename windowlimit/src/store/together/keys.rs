//! The keys of one call, one for each limiter.

use crate::store::key::{KeyText, StoreKey};

/// The keys of a call that several limiters decide on [together](crate::Together), in their order: a tuple of up to eight
/// [`StoreKey`]s, or an array; or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the keys of {N} limiters that decide together",
    label = "wanted a tuple or an array of {N} keys, in the order of the limiters",
    note = "each has to implement `StoreKey`, as strings, integers, IP addresses and references to them do"
)]
pub trait TogetherKeys<const N: usize>: sealed::Sealed {
    #[doc(hidden)]
    fn texts(&self) -> [KeyText; N];
}

mod sealed {
    pub trait Sealed {}
}

impl<T: sealed::Sealed + ?Sized> sealed::Sealed for &T {}

#[diagnostic::do_not_recommend]
impl<T: TogetherKeys<N> + ?Sized, const N: usize> TogetherKeys<N> for &T {
    fn texts(&self) -> [KeyText; N] {
        (**self).texts()
    }
}

impl<K, const N: usize> sealed::Sealed for [K; N] {}

impl<K: StoreKey, const N: usize> TogetherKeys<N> for [K; N] {
    fn texts(&self) -> [KeyText; N] {
        self.each_ref().map(KeyText::of)
    }
}

macro_rules! tuples {
    ($($count:literal: ($($name:ident)+))*) => {
        $(
            impl<$($name),+> sealed::Sealed for ($($name,)+) {}

            #[diagnostic::do_not_recommend]
            impl<$($name: StoreKey),+> TogetherKeys<$count> for ($($name,)+) {
                fn texts(&self) -> [KeyText; $count] {
                    #[allow(non_snake_case)]
                    let ($($name,)+) = self;
                    [$(KeyText::of($name)),+]
                }
            }
        )*
    };
}

tuples! {
    1: (A)
    2: (A B)
    3: (A B C)
    4: (A B C D)
    5: (A B C D E)
    6: (A B C D E F)
    7: (A B C D E F G)
    8: (A B C D E F G H)
}

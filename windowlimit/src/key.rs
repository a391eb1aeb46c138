//! What may be a key: every value that can be hashed. The trait has a name of ours, so that the compiler's message
//! about a value that cannot be hashed says what to write.

use core::hash::Hash;

/// A value of which each has a window of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key, since it cannot be hashed: write `key = EXPR` of a type that implements `Hash`",
    label = "this type does not implement `Hash`",
    note = "a part that can be hashed often does as well, such as `key = user.id`; of a float, `key = value.to_bits()`",
    note = "several parts make one key as a tuple: `key = (user.id, action)`"
)]
pub trait Key: Hash {}

#[diagnostic::do_not_recommend]
impl<K: Hash + ?Sized> Key for K {}

/// Borrows a key, if it is one.
#[inline]
#[must_use]
pub fn key<K: Key + ?Sized>(key: &K) -> &K {
    key
}

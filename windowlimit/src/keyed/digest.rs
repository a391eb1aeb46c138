//! What is kept of a key: 128 bits, by a keyed hash of its typed data.

use std::{
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::LazyLock,
};

use siphasher::sip128::{Hasher128, SipHasher13};

/// The digest of a key. Two keys share a window only if all of its bits agree; who does not know the secret of the
/// process cannot find two that do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest([u64; 2]);

/// As much of a digest as is kept beside the table: it finds the key's place there.
pub(super) type Token = u32;

impl Digest {
    #[inline]
    pub(crate) fn of<K: Hash + ?Sized>(key: &K) -> Self {
        /// Drawn once, when the first key is hashed, from the same source as the hash maps of `std`.
        static SECRET: LazyLock<(u64, u64)> = LazyLock::new(|| {
            let draw = || RandomState::new().hash_one("windowlimit");
            (draw(), draw())
        });
        let (first, second) = *SECRET;
        let mut hasher = SipHasher13::new_with_keys(first, second);
        key.hash(&mut hasher);
        let digest = hasher.finish128();
        Self([digest.h1, digest.h2])
    }

    /// All of it, as a number.
    pub(crate) fn bits(self) -> u128 {
        u128::from(self.0[0]) << 64 | u128::from(self.0[1])
    }

    #[inline]
    pub(super) fn token(self) -> Token {
        #[allow(clippy::cast_possible_truncation)] // a part of it is what is wanted
        let token = self.0[0] as Token;
        token
    }
}

/// Where a key with this token stands in the table. Of the token alone, so that it is found by it; spread over all bits,
/// since the table takes its shard, its place and its tag out of different ones.
#[inline]
pub(super) fn place(token: Token) -> u64 {
    // The golden ratio in 64 bits, as in Knuth's multiplicative hashing (TAOCP 6.4).
    u64::from(token).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(place(self.token()));
    }
}

/// Passes a digest's place through as it is: it has been hashed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PassThrough(u64);

impl BuildHasher for PassThrough {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        Self(0)
    }
}

impl Hasher for PassThrough {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, place: u64) {
        self.0 = place;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn f59_parts_of_a_key_do_not_run_into_each_other() {
        assert!(Digest::of(&("a", "bc")) != Digest::of(&("ab", "c")));
        assert!(Digest::of("jose") != Digest::of("Jose") && Digest::of("") != Digest::of(" "));
        assert!(Digest::of("") == Digest::of(&String::new()));
    }
}

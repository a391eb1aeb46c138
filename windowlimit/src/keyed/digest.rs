//! What is kept of a key, and where it stands in a table.

use std::{
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::LazyLock,
};

use siphasher::sip128::SipHasher13;

use super::gather::Gather;

/// The digest of a key. Two keys share a window only if all of its bits agree: those of short keys never do, and who does not
/// know the secret of the process cannot find two others that do (D1 to D3).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest([u64; 2]);

/// As much of a digest as is kept beside the table: it finds the key's place there.
pub(super) type Token = u32;

/// Drawn when the first key is hashed, from the same source as the hash maps of `std`.
pub(super) struct Secret {
    /// For the hash of long keys.
    pub(super) keys: (u64, u64),
    /// Added to keys that fit as a whole: sixteen bytes, and a text of as many.
    pub(super) wholes: [u128; 2],
    /// For the places of all keys.
    places: [u64; 4],
    /// For what is shown of keys.
    tags: (u64, u64),
}

pub(super) static SECRET: LazyLock<Secret> = LazyLock::new(|| {
    let draw = || RandomState::new().hash_one("windowlimit");
    let draw_whole = || u128::from(draw()) << 64 | u128::from(draw());
    Secret {
        keys: (draw(), draw()),
        wholes: [draw_whole(), draw_whole()],
        places: [draw(), draw(), draw(), draw()],
        tags: (draw(), draw()),
    }
});

impl Digest {
    #[inline]
    pub(crate) fn of<K: Hash + ?Sized>(key: &K) -> Self {
        let mut gather = Gather::new();
        key.hash(&mut gather);
        gather.digest()
    }

    #[allow(clippy::cast_possible_truncation)] // its halves
    #[inline]
    pub(super) fn new(bits: u128) -> Self {
        Self([bits as u64, (bits >> 64) as u64])
    }

    /// All of it, as a number.
    pub(super) fn bits(self) -> u128 {
        u128::from(self.0[1]) << 64 | u128::from(self.0[0])
    }

    /// What may be shown of it, outside of the process too: a short key could be read out of the digest itself.
    pub(crate) fn tag(self) -> u128 {
        let (first, second) = SECRET.tags;
        SipHasher13::new_with_keys(first, second).hash(&self.bits().to_ne_bytes()).as_u128()
    }

    /// Keys whose tokens agree meet in the table, which makes them slower and nothing worse. So this is what a hash map's
    /// hash is: two products whose factors are secret (as in wyhash and aHash), so that keys which were chosen without
    /// knowing the 256 bits of the secret meet as seldom as random ones. No token and no order of keys is ever shown.
    #[inline]
    pub(super) fn token(self) -> Token {
        let [first, second, third, fourth] = SECRET.places;
        let mixed = folded(folded(self.0[0] ^ first, self.0[1] ^ second) ^ third, fourth);
        #[allow(clippy::cast_possible_truncation)] // a part of it is what is wanted
        let token = mixed as Token;
        token
    }
}

/// Both halves of a product, in one.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[allow(clippy::cast_possible_truncation)] // its halves
    let folded = product as u64 ^ (product >> 64) as u64;
    folded
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
    use std::{collections::HashSet, hash::Hash};

    use super::{Digest, place};

    #[test]
    fn f59_parts_of_a_key_do_not_run_into_each_other() {
        assert!(Digest::of(&("a", "bc")) != Digest::of(&("ab", "c")));
        assert!(Digest::of(&("a", "bc", "")) != Digest::of(&("a", "", "bc")));
        assert!(Digest::of("jose") != Digest::of("Jose") && Digest::of("") != Digest::of(" "));
        assert!(Digest::of("") == Digest::of(&String::new()));
        assert!(Digest::of(&("a customer's name", "b")) != Digest::of(&("a customer's nam", "eb")));
    }

    /// Keys that are alike in most of their bits, as somebody would choose them who wants them to meet.
    #[test]
    fn keys_that_are_alike_are_spread() {
        fn is_spread<K: Hash>(keys: impl Iterator<Item = K>) -> bool {
            let places: Vec<u64> = keys.map(|key| place(Digest::of(&key).token())).collect();
            let distinct: HashSet<u64> = places.iter().copied().collect();
            // In 512 shards of 16 384 keys each has 32, and not twice as many but by a chance in millions; so it is with
            // the places that they begin at.
            let most = |part: fn(u64) -> u64| {
                let mut counts = [0_u32; 512];
                for &place in &places {
                    counts[usize::try_from(part(place)).expect("it is less than 512")] += 1;
                }
                counts.into_iter().max()
            };
            distinct.len() > places.len() - 8
                && most(|place| place << 7 >> 55) < Some(90)
                && most(|place| place & 511) < Some(90)
        }
        let numbers = || 0..16_384_u64;
        assert!(is_spread(numbers()));
        for shift in 1..=50 {
            assert!(is_spread(numbers().map(|number| number << shift)), "{shift}");
            assert!(is_spread(numbers().map(|number| u64::MAX - (number << shift))), "{shift}");
        }
        assert!(is_spread(numbers().map(|number| (number, 7_u8))));
        assert!(is_spread(numbers().map(|number| (7_u32, number))));
        assert!(is_spread(numbers().map(|number| format!("{number:015}"))));
        assert!(is_spread(numbers().map(|number| format!("{number:040}"))));
    }

    #[test]
    fn a_tag_does_not_show_the_key() {
        let digest = Digest::of("ann");
        assert!(digest.tag() == Digest::of("ann").tag() && digest.tag() != Digest::of("bob").tag());
        let shown = digest.tag().to_ne_bytes();
        assert!(!shown.windows(3).any(|part| part == b"ann" || part == b"nna"));
    }
}

//! How a key becomes its [`Digest`]: what it hashes is gathered, and kept as it is where that fits.
//!
//! * **D1, short.** A key that hashes at most fifteen bytes has these bytes and their number for a digest. Nothing is hashed,
//!   and two such keys never have one digest, whoever chose them and whatever they know. Of sixteen bytes the last one may be
//!   `0xff`, which is what a text writes behind itself: it is told by the number alone, so that a text of fifteen bytes
//!   (`255.255.255.255`) is short.
//! * **D2, whole.** Sixteen bytes, and a text of sixteen bytes with its `0xff`, leave no room for their number. They have their
//!   bytes for a digest, with a secret added to each kind that is as long. So two of a kind never have one digest; and one has
//!   that of any other key if the secret is the difference of the two, which is as likely as any of 2^128 other numbers:
//!   whoever makes m such keys and n others has a chance of m n / 2^128, and learns nothing before.
//! * **D3, long.** All others have 127 bits of SipHash-1-3 under a secret of the process: a pseudorandom function, so that
//!   nobody without the secret finds two that agree, but by as many calls as there are digests to meet by chance. The last
//!   bit is set in them, and not in short ones.
//!
//! The digest depends on the bytes alone, and not on the calls by which they came.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use super::digest::{Digest, SECRET};

/// As many bytes fit into a digest.
const MOST: usize = 16;

/// What a text writes behind itself.
const END: u8 = 0xff;

/// The bytes of a text of [`MOST`], and its end.
const TEXT: usize = MOST + 1;

/// As many are gathered, to be hashed at once: the text of a UUID, and what is written behind it.
const GATHERED: usize = 48;

/// The last byte of a digest: how many bytes there are, or [`LONG`].
const LAST: u32 = 8 * 15;

/// The bit of long keys (D3).
const LONG: u128 = 1 << 127;

/// Gathers what a key hashes.
pub(super) struct Gather {
    /// The first bytes, behind which all are zero: in registers, as long as there are no others.
    short: u128,
    /// The bytes after those, each in its place.
    others: [u8; GATHERED],
    len: usize,
    /// All bytes, once they are too many.
    long: Option<SipHasher13>,
}

impl Gather {
    #[inline]
    pub(super) fn new() -> Self {
        Self { short: 0, others: [0; GATHERED], len: 0, long: None }
    }

    #[inline]
    pub(super) fn digest(&mut self) -> Digest {
        let number = (self.len as u128) << LAST;
        if self.len < MOST {
            return Digest::new(self.short | number);
        }
        let [whole, text] = SECRET.wholes;
        match self.len {
            MOST if self.short >> LAST == END.into() => Digest::new(self.short & !(0xff << LAST) | number),
            MOST => Digest::new(self.short ^ whole),
            TEXT if self.others[MOST] == END => Digest::new(self.short ^ text),
            _ => self.hashed(),
        }
    }

    /// The digest of a long key.
    #[inline(never)]
    fn hashed(&mut self) -> Digest {
        let hash = match &self.long {
            Some(long) => long.finish128(),
            None => hasher().hash(self.gathered()),
        };
        Digest::new(hash.as_u128() | LONG)
    }

    fn gathered(&mut self) -> &[u8] {
        self.others[..MOST].copy_from_slice(&self.short.to_le_bytes());
        &self.others[..self.len]
    }

    /// So many more bytes, behind which all are zero.
    #[allow(clippy::inline_always)] // so that nothing is left of it where their number and place are known
    #[inline(always)]
    fn add(&mut self, bits: u128, count: usize) {
        if count <= MOST - self.len.min(MOST) {
            self.short |= bits << (8 * self.len);
            self.len += count;
        } else {
            self.add_others(&bits.to_le_bytes()[..count]);
        }
    }

    /// Bytes that do not fit into a digest with those before.
    #[inline(never)]
    fn add_others(&mut self, bytes: &[u8]) {
        if let Some(long) = &mut self.long {
            return long.write(bytes);
        }
        let len = self.len + bytes.len();
        if len > GATHERED {
            let mut long = hasher();
            long.write(self.gathered());
            long.write(bytes);
            self.long = Some(long);
        } else {
            let (first, others) = bytes.split_at(MOST - self.len.min(MOST));
            if !first.is_empty() {
                self.short |= load(first) << (8 * self.len);
            }
            self.others[len - others.len()..len].copy_from_slice(others);
        }
        self.len = len;
    }
}

/// That of long keys (D3).
#[inline]
fn hasher() -> SipHasher13 {
    let (first, second) = SECRET.keys;
    SipHasher13::new_with_keys(first, second)
}

#[allow(clippy::inline_always)] // as above
impl Hasher for Gather {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if bytes.len() > MOST - self.len.min(MOST) {
            self.add_others(bytes);
        } else if !bytes.is_empty() {
            self.add(load(bytes), bytes.len());
        }
    }

    #[inline(always)]
    fn write_u8(&mut self, byte: u8) {
        if self.len == MOST {
            // The end of a text, mostly.
            self.others[MOST] = byte;
            self.len = TEXT;
        } else {
            self.add(byte.into(), 1);
        }
    }

    #[inline(always)]
    fn write_u16(&mut self, number: u16) {
        self.add(number.into(), 2);
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.add(number.into(), 4);
    }

    #[inline(always)]
    fn write_u64(&mut self, number: u64) {
        self.add(number.into(), 8);
    }

    #[inline(always)]
    fn write_u128(&mut self, number: u128) {
        self.add(number, 16);
    }

    #[inline(always)]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u128, size_of::<usize>());
    }

    /// For a key that asks halfway: of what there is so far.
    fn finish(&self) -> u64 {
        let so_far = Self { long: self.long, ..*self }.digest();
        so_far.token().into()
    }
}

/// Sixteen bytes at most, in words that may overlap where they are the same.
#[inline]
fn load(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u128::from(u64::from_le_bytes(*first))
            | u128::from(u64::from_le_bytes(*last)) << (8 * (len - 8));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from(u32::from_le_bytes(*first))
            | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4)))
            .into();
    }
    match *bytes {
        [] => 0,
        [first, .., last] => (u32::from(first)
            | u32::from(bytes[len / 2]) << (8 * (len / 2))
            | u32::from(last) << (8 * (len - 1)))
            .into(),
        [only] => only.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        hash::{Hash, Hasher},
    };

    use rand::{Rng as _, SeedableRng as _, rngs::SmallRng};

    use super::{Digest, Gather};

    fn of_bytes(bytes: &[u8]) -> Digest {
        let mut gather = Gather::new();
        gather.write(bytes);
        gather.digest()
    }

    /// Of all that could run into each other where an end, a zero or a `0xff` is taken for something else.
    #[test]
    fn no_two_keys_have_one_digest() {
        let mut known = HashSet::new();
        let mut all = 0;
        let mut enter = |bytes: &[u8]| {
            all += 1;
            known.insert(of_bytes(bytes).bits());
        };
        for len in 0..=7 {
            for number in 0..4_u32.pow(len) {
                let bytes = (0..len).map(|digit| [0, 1, 7, 0xff][(number >> (2 * digit) & 3) as usize]);
                enter(&bytes.collect::<Vec<u8>>());
            }
        }
        for len in 8..40 {
            for place in 0..len {
                for byte in [1, 15, 16, 17, 0x7f, 0x80, 0xfe, 0xff] {
                    let mut bytes = vec![0; len];
                    bytes[place] = byte;
                    enter(&bytes);
                    bytes = vec![0xff; len];
                    bytes[place] = byte - 1;
                    enter(&bytes);
                }
            }
            enter(&vec![0; len]);
            enter(&vec![0xff; len]);
        }
        assert_eq!(known.len(), all);
    }

    #[test]
    fn only_keys_that_do_not_fit_are_hashed() {
        let kept = |text: &str| Digest::of(text).bits() >> 120;
        assert_eq!((kept(""), kept("255.255.255.255")), (1, 16));
        assert_eq!((Digest::of(&7_u64).bits(), Digest::of(&7_u64).bits() >> 120), (7 | 8 << 120, 8));
        // D2: two of a kind differ as what they are made of does.
        let [first, second] = ["0123456789abcdef", "0123456789abcdeg"].map(|text| Digest::of(text).bits());
        assert_eq!(first ^ second, 1 << 120);
        assert_eq!(Digest::of(&7_u128).bits() ^ Digest::of(&6_u128).bits(), 1);
        assert_ne!(Digest::of(&u128::from_le_bytes(*b"0123456789abcdef")).bits(), first);
        assert_eq!(kept("0123456789abcdefg") >> 7, 1);
    }

    #[test]
    fn the_digest_depends_on_the_bytes_and_not_on_the_calls() {
        let mut random = SmallRng::seed_from_u64(3);
        for _ in 0..20_000 {
            let len = random.random_range(0..40);
            let bytes: Vec<u8> =
                (0..len).map(|_| if random.random() { 0xff } else { random.random() }).collect();
            let (mut gather, mut rest) = (Gather::new(), &bytes[..]);
            while !rest.is_empty() {
                let (first, last) = rest.split_at(random.random_range(0..=rest.len()));
                match *first {
                    [byte] => gather.write_u8(byte),
                    [first, second] => gather.write_u16(u16::from_le_bytes([first, second])),
                    _ => match first.try_into() {
                        Ok(bytes) => gather.write_u64(u64::from_le_bytes(bytes)),
                        Err(_) => gather.write(first),
                    },
                }
                rest = last;
            }
            assert!(gather.digest() == of_bytes(&bytes), "{bytes:?}");
        }
    }

    /// A key that asks for the hash so far gets the same each time.
    #[test]
    fn who_asks_halfway_changes_nothing() {
        struct Asks(u64, bool);
        impl Hash for Asks {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash(state);
                if self.1 {
                    assert_eq!(state.finish(), state.finish());
                }
                self.0.hash(state);
                self.0.hash(state);
            }
        }
        assert!(Digest::of(&Asks(5, true)) == Digest::of(&Asks(5, false)));
    }
}

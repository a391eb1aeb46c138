//! The state of several limits in two words: a refusal has no room for more, and is made without an allocation.
//!
//! # In words
//!
//! Of each limit two numbers are told: how many units were left, which are no more than its maximum, and the whole seconds
//! until the oldest live unit leaves, which are no more than twice its window. So the limits say how many bits each number
//! takes, and nothing else has to be stored. With 10/s, 100/m and 1000/h, of which the last refused:
//!
//! ```text
//!   bit 0   whether the others are told
//!      1-10 what the limit that is named had left        1000 needs 10 bits
//!     11-16 10/s: units left, seconds                    10 needs 4 bits, 2 needs 2
//!     17-30 100/m: units left, seconds                   100 needs 7 bits, 120 needs 7
//! ```
//!
//! 128 bits are enough for five limits of everyday sizes, and for two of any. One whose numbers do not fit is not told.

use crate::{limit::Limit, usage::Usage};

/// The numbers of all limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed([u64; 2]);

const SECOND: u64 = 1_000_000_000;

impl Packed {
    pub(super) const NONE: Self = Self([0, 0]);

    pub(super) fn untold(named: &Limit, left: u32) -> Self {
        Bits::of(false, named, left).into()
    }

    pub(super) fn of<E>(
        named: &Limit,
        left: u32,
        all: impl IntoIterator<Item = Result<Usage, E>>,
    ) -> Result<Self, E> {
        let mut bits = Bits::of(true, named, left);
        for usage in all {
            let usage = usage?;
            let limit = usage.tightest_limit();
            let (units, seconds) = (units_width(limit), seconds_width(limit));
            if limit != named && bits.have_room(units + seconds) {
                bits.push(u64::from(usage.remaining()), units);
                bits.push(usage.reset_nanos().div_ceil(SECOND), seconds);
            }
        }
        Ok(bits.into())
    }

    pub(super) fn left_of(self, named: &Limit) -> u32 {
        let mut bits = Bits::from(self);
        bits.take(1);
        u32::try_from(bits.take(units_width(named))).unwrap_or(u32::MAX)
    }

    pub(super) fn read(self, named: &Limit, all: &[Limit]) -> Vec<(Limit, u32, u64)> {
        let mut bits = Bits::from(self);
        if bits.take(1) == 0 {
            return Vec::new();
        }
        bits.take(units_width(named));
        let mut told = Vec::new();
        for limit in all.iter().filter(|limit| *limit != named) {
            let (units, seconds) = (units_width(limit), seconds_width(limit));
            if bits.have_room(units + seconds) {
                let left = u32::try_from(bits.take(units)).unwrap_or(u32::MAX);
                told.push((*limit, left, bits.take(seconds)));
            }
        }
        told
    }
}

/// How many bits the units take that are left of a limit.
fn units_width(limit: &Limit) -> u32 {
    u32::BITS - limit.max().leading_zeros()
}

/// How many bits the seconds take until a unit of a limit leaves: where windows have segments, or a clock went back, these
/// may be more than its window. (Of a clock that went back further than that, the largest number is told that fits.)
fn seconds_width(limit: &Limit) -> u32 {
    u64::BITS - limit.nanos().div_ceil(SECOND).saturating_mul(2).leading_zeros()
}

/// A row of numbers of different widths.
struct Bits {
    bits: u128,
    used: u32,
}

impl Bits {
    /// That begins with whether the others are told, and with the limit that is named.
    fn of(are_told: bool, named: &Limit, left: u32) -> Self {
        let mut bits = Self { bits: 0, used: 0 };
        bits.push(u64::from(are_told), 1);
        bits.push(u64::from(left), units_width(named));
        bits
    }

    const fn have_room(&self, width: u32) -> bool {
        self.used + width <= u128::BITS
    }

    /// Writes a number, or the largest that has a place.
    fn push(&mut self, number: u64, width: u32) {
        self.bits |= u128::from(number).min((1 << width) - 1) << self.used;
        self.used += width;
    }

    /// Reads the next number.
    fn take(&mut self, width: u32) -> u64 {
        let number = (self.bits >> self.used) & ((1 << width) - 1);
        self.used += width;
        u64::try_from(number).unwrap_or(u64::MAX)
    }
}

impl From<Bits> for Packed {
    #[allow(clippy::cast_possible_truncation)] // one half, then the other
    fn from(bits: Bits) -> Self {
        Self([bits.bits as u64, (bits.bits >> 64) as u64])
    }
}

impl From<Packed> for Bits {
    fn from(Packed([low, high]): Packed) -> Self {
        Self { bits: u128::from(low) | u128::from(high) << 64, used: 0 }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Packed;
    use crate::{limit::Limit, usage::Usage};

    fn read(limits: &[Limit], named: usize) -> Vec<(Limit, u32, u64)> {
        let usages = limits.iter().map(|limit| Usage::new(*limit, limit.max() / 3, limit.nanos()));
        let others = Packed::of(&limits[named], 2, usages.map(Ok::<_, ()>)).expect("nothing comes between");
        assert_eq!(others.left_of(&limits[named]), 2);
        others.read(&limits[named], limits)
    }

    fn expected(limit: &Limit) -> (Limit, u32, u64) {
        (*limit, limit.max() - limit.max() / 3, limit.nanos().div_ceil(1_000_000_000))
    }

    #[test]
    fn five_limits_of_everyday_sizes_are_told() {
        let days = |max, days: u64| Limit::new(max, Duration::from_secs(days * 86_400)).expect("a limit");
        let limits = [
            Limit::per_second(10),
            Limit::per_minute(200),
            Limit::per_hour(2_000),
            days(10_000, 1),
            days(100_000, 30),
        ];
        for named in 0..limits.len() {
            let others: Vec<_> =
                limits.iter().filter(|limit| **limit != limits[named]).map(expected).collect();
            assert_eq!(read(&limits, named), others);
        }
    }

    #[test]
    fn two_limits_of_any_size_are_told_and_what_does_not_fit_is_not() {
        let largest = |max| Limit::new(max, Duration::MAX).expect("a limit");
        let limits = [largest(u32::MAX), largest(u32::MAX - 1)];
        for named in 0..2 {
            let (limit, left, _) = expected(&limits[1 - named]);
            assert_eq!(read(&limits, named), [(limit, left, 9_223_372_037)]);
        }
        let limits = [limits[0], largest(u32::MAX - 2), limits[1], Limit::per_second(1)];
        let told: Vec<_> = read(&limits, 0).iter().map(|(limit, ..)| *limit).collect();
        assert_eq!(told, [limits[1], limits[3]]);
    }

    #[test]
    fn a_number_that_is_too_large_is_the_largest() {
        let limits = [Limit::per_second(1), Limit::per_minute(1)];
        let others = Packed::of(&limits[1], 0, [Ok::<_, ()>(Usage::new(limits[0], 0, u64::MAX))])
            .expect("nothing comes between");
        assert_eq!(others.read(&limits[1], &limits), [(limits[0], 1, 3)]);
        assert_eq!(Packed::untold(&limits[1], 0).read(&limits[1], &limits), []);
    }
}

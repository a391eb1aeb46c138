//! The word in a slot.

/// One slot of a circle.
///
/// | bits | what |
/// |---|---|
/// | 0 | the lap bit: flipped by every overwriting of the slot |
/// | 1 to 63 | the instant of the admission in nanoseconds, `1..=LAST_INSTANT`; 0 where there was none yet |
///
/// All ones is the mark of a slot that was frozen; no admission has it, as [`LAST_INSTANT`] ends one short of it.
///
/// [`LAST_INSTANT`]: crate::clock::LAST_INSTANT
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word(u64);

impl Word {
    /// The lap bit.
    pub(crate) const LAP: u64 = 1;

    /// Nothing was admitted here yet. Its lap bit is clear, so the first lap sets them.
    pub(crate) const EMPTY: Self = Self(0);

    /// The circle was given up for a larger one.
    pub(crate) const FROZEN: Self = Self(u64::MAX);

    /// An admission at this instant, on a lap with this bit.
    #[inline]
    pub(crate) const fn admission(at: u64, lap: bool) -> Self {
        Self(at << 1 | lap as u64)
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) const fn lap(self) -> bool {
        self.0 & Self::LAP != 0
    }

    /// The instant of the admission; 0 where there was none.
    #[inline]
    pub(crate) const fn at(self) -> u64 {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether an admission is here that counts at `now` in a window this long.
    #[inline]
    pub(crate) fn is_live(self, now: u64, window: u64) -> bool {
        // No overflow: an instant ends below 2^63 - 1, a window at it.
        !self.is_empty() && now < self.at() + window
    }
}

#[cfg(test)]
mod tests {
    use super::Word;
    use crate::{clock::LAST_INSTANT, limit::LONGEST_WINDOW};

    #[test]
    fn the_last_instant_is_neither_the_mark_nor_cut() {
        for lap in [false, true] {
            let word = Word::admission(LAST_INSTANT, lap);
            assert_ne!(word, Word::FROZEN);
            assert_eq!((word.at(), word.lap()), (LAST_INSTANT, lap));
        }
    }

    #[test]
    fn the_last_instant_and_the_longest_window_do_not_overflow() {
        let word = Word::admission(LAST_INSTANT, true);
        assert!(word.is_live(LAST_INSTANT, LONGEST_WINDOW));
    }

    #[test]
    fn an_admission_is_live_on_its_half_open_interval() {
        let word = Word::admission(100, false);
        assert!(word.is_live(100, 10) && word.is_live(109, 10));
        assert!(!word.is_live(110, 10));
        assert!(!Word::EMPTY.is_live(0, LONGEST_WINDOW));
    }
}

//! One circle of slots: reading it at its head, looking back along it, claiming the head, freezing it.
//!
//! Everything here speaks of one circle. Which circle is current, and what takes its place, is `ring`'s.

use crate::{
    limit::Limit,
    sync::{AtomicU64, AtomicUsize, Ordering},
    window::{gallop::first_where, log::Admission, word::Word},
};

/// A view of the slots and of the hint to their head.
#[derive(Clone, Copy)]
pub(crate) struct Circle<'r> {
    cursor: &'r AtomicUsize,
    slots: &'r [AtomicU64],
}

/// A circle that stands by itself.
pub(crate) struct Grown {
    cursor: AtomicUsize,
    slots: Box<[AtomicU64]>,
}

/// The head of a circle as it was read: the place, the oldest admission, which stands in it, and the newest one,
/// which stands before it. True if the head has not changed since (I2).
#[derive(Clone, Copy)]
pub(crate) struct Head {
    place: usize,
    pub(crate) oldest: Word,
    pub(crate) newest: Word,
}

/// A slot was frozen: the circle is no longer the current one.
pub(crate) struct Frozen;

/// What counts for one limit at one instant.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    pub(crate) units: u32,
    /// The instant of the oldest live admission, if there is one.
    pub(crate) since: Option<u64>,
}

impl<'r> Circle<'r> {
    #[inline]
    pub(crate) fn new(cursor: &'r AtomicUsize, slots: &'r [AtomicU64]) -> Self {
        Self { cursor, slots }
    }

    #[inline]
    pub(crate) fn capacity(self) -> usize {
        self.slots.len()
    }

    /// Where the head may be: there or, if this is late, somewhere after it.
    #[inline]
    pub(crate) fn hint(self) -> usize {
        // Relaxed: only a hint; `is_head` verifies it by the slots themselves.
        self.cursor.load(Ordering::Relaxed)
    }

    /// Reads the head, if it is at this place.
    #[inline]
    pub(crate) fn head_at(self, place: usize) -> Result<Option<Head>, Frozen> {
        let seen = self.look(place)?;
        Ok(if Self::is_head(seen) { Some(seen) } else { None })
    }

    /// Reads a place as if the head were there.
    #[inline]
    fn look(self, place: usize) -> Result<Head, Frozen> {
        // In this order: if `oldest` is still there at the compare-and-swap or at the second look, it was there
        // while `newest` was read, and the lap bits speak of one moment (I2).
        let oldest = self.read(place)?;
        let newest = self.read(self.back(place, 1))?;
        Ok(Head { place, oldest, newest })
    }

    /// The lap bits change at the head, but for place 0, where a new lap begins. (So the only slot of a circle of
    /// one is its head.)
    #[inline]
    fn is_head(seen: Head) -> bool {
        // As numbers, since a chain of comparisons is what the clock would have to wait for.
        let change = seen.oldest.bits() ^ seen.newest.bits();
        (change ^ u64::from(seen.place == 0)) & Word::LAP != 0
    }

    /// The place after `head`, the next head.
    #[inline]
    fn after(self, head: Head) -> usize {
        self.forth(head.place, 1)
    }

    /// The admission `n` before the next one, for `n` up to the capacity.
    #[inline]
    pub(crate) fn look_back(self, head: Head, n: usize) -> Result<Word, Frozen> {
        if n == self.capacity() { Ok(head.oldest) } else { self.read(self.back(head.place, n)) }
    }

    /// Whether the head is what it was. What was read since `head`, was read in one state then.
    #[inline]
    pub(crate) fn is_still(self, head: Head) -> bool {
        // Relaxed: had another slot shown a claim later than this head's next overwriting, its Acquire load in
        // `read` would have made that overwriting visible here too.
        self.slots[head.place].load(Ordering::Relaxed) == head.oldest.bits()
    }

    /// Claims the head for an admission at this instant; false if it was claimed or frozen by another.
    #[inline]
    pub(crate) fn claim(self, head: Head, at: u64) -> bool {
        let word = Word::admission(at, !head.oldest.lap());
        let claimed = self.slots[head.place].compare_exchange(
            head.oldest.bits(),
            word.bits(),
            // Release: publishes this claim, and all before it, which `read` acquired, to the Acquire in `read`.
            // Nothing is to be acquired: the word that is swapped out was.
            Ordering::Release,
            // Relaxed: the value is not used; the caller reads the head again.
            Ordering::Relaxed,
        );
        if claimed.is_ok() {
            // Relaxed: only a hint, and it may overwrite a later one.
            self.cursor.store(self.after(head), Ordering::Relaxed);
        }
        claimed.is_ok()
    }

    /// Counts the admissions before `head` that are live at `now`, by gallop and bisect: instants do not
    /// decrease along the circle (I1), so the live ones are the last ones.
    #[inline]
    pub(crate) fn live(self, head: Head, limit: &Limit, now: u64) -> Result<Live, Frozen> {
        // Not only up to the limit: more may be live since it was lowered.
        let reach = self.capacity();
        let mut since = None;
        let units = first_where(reach, |places| {
            let word = self.look_back(head, places)?;
            let live = word.is_live(now, limit.nanos());
            if live {
                // Each live one that is looked at stands further back than the one before.
                since = Some(word.at());
            }
            Ok(!live)
        })?
        .map_or(reach, |places| places - 1);
        #[allow(clippy::cast_possible_truncation)]
        // a circle has at most as many places as the largest limit ever had
        let units = units as u32;
        Ok(Live { units, since })
    }

    /// What decides when so many more units have room, as it was at one moment, oldest first.
    ///
    /// For a limit of n, the first of them waits for the admission n places back, the next for the one after that, and so
    /// on; a call that costs nothing waits for the one before. What lies between these places is counted, and no more: it is put together, at the instant of its newest. (If
    /// that is too many for an instant, it is by those that a limit has no room for anyway.) So this is long by the
    /// units, and not by the limits.
    pub(crate) fn decisive(self, limits: &[Limit], units: usize) -> Result<Vec<Admission>, Frozen> {
        let mut head = self.search(self.hint())?;
        loop {
            let admissions = self.decisive_at(head, limits, units)?;
            if self.is_still(head) {
                return Ok(admissions);
            }
            head = self.search_on(head)?;
        }
    }

    fn decisive_at(self, head: Head, limits: &[Limit], units: usize) -> Result<Vec<Admission>, Frozen> {
        let mut places: Vec<usize> = limits
            .iter()
            .map(|limit| self.capacity().min((limit.max() as usize).saturating_add(1)))
            .collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        let mut admissions = Vec::new();
        let mut add = |last: usize, units: usize| {
            let word = self.look_back(head, last)?;
            if !word.is_empty() {
                admissions.push(Admission { at: word.at(), units: units as u64 });
            }
            Ok(())
        };
        let mut next = places.first().copied().unwrap_or(0);
        for place in places {
            if next > place {
                add(place + 1, next - place)?;
                next = place;
            }
            while next > place.saturating_sub(units.saturating_add(1)) {
                add(next, 1)?;
                next -= 1;
            }
        }
        if next > 0 {
            add(1, next)?;
        }
        Ok(admissions)
    }

    /// Freezes every slot and adds the admissions that were in them to an empty list, oldest first; with room for all
    /// slots it does not allocate. Only one thread may do so.
    pub(crate) fn freeze(self, admissions: &mut Vec<Word>) {
        admissions.extend(self.slots.iter().map(|slot| {
            // Relaxed: a swap takes the last word of its slot under any ordering, and the argument needs no more
            // (I6). What is made of the words is published by the cell that holds the next circle.
            Word::from_bits(slot.swap(Word::FROZEN.bits(), Ordering::Relaxed))
        }));
        // The head is where the lap bits change, or at place 0 where they do not.
        let head = admissions.iter().position(|word| word.lap() != admissions[0].lap()).unwrap_or(0);
        admissions.rotate_left(head);
        admissions.retain(|word| !word.is_empty());
    }

    /// The place `n` before this one, for `n` up to the capacity.
    #[inline]
    fn back(self, place: usize, n: usize) -> usize {
        if place >= n { place - n } else { place + self.capacity() - n }
    }

    /// The place `n` after this one, for `n` up to the capacity.
    #[inline]
    fn forth(self, place: usize, n: usize) -> usize {
        let there = place + n;
        if there >= self.capacity() { there - self.capacity() } else { there }
    }

    #[inline]
    fn read(self, place: usize) -> Result<Word, Frozen> {
        // Acquire: pairs with the Release in `claim`, so that whoever sees a claim sees all earlier ones.
        let word = Word::from_bits(self.slots[place].load(Ordering::Acquire));
        if word == Word::FROZEN { Err(Frozen) } else { Ok(word) }
    }

    /// Reads the head, looking for it from `hint` on.
    pub(crate) fn search(self, hint: usize) -> Result<Head, Frozen> {
        let seen = self.find(hint)?;
        if seen.place != hint {
            // Relaxed: only a hint. Mended here, it does not stay late for all the refusals of a full window.
            self.cursor.store(seen.place, Ordering::Relaxed);
        }
        Ok(seen)
    }

    /// Reads the head again, looking for it from where it was. The hint is left to those who were faster.
    pub(crate) fn search_on(self, head: Head) -> Result<Head, Frozen> {
        self.find(head.place)
    }

    /// Seen from a place that is not the head, and with the bits turned over from place 0 on, the lap bits are the
    /// same up to the head and the others from there on. A late hint is mostly late by a few places: gallop, then
    /// bisect. The answer was the head if nothing was claimed in the meantime; so look whether it still is.
    #[inline]
    fn find(self, from: usize) -> Result<Head, Frozen> {
        let mut seen = self.look(from)?;
        while !Self::is_head(seen) {
            let ahead = first_where(self.capacity() - 1, |places| {
                let there = self.forth(seen.place, places);
                let wrapped = there < seen.place;
                Ok((self.read(there)?.lap() != wrapped) != seen.oldest.lap())
            })?;
            seen = self.look(self.forth(seen.place, ahead.unwrap_or(0)))?;
        }
        Ok(seen)
    }
}

impl Grown {
    /// A circle whose first lap are admissions at these instants, oldest first.
    pub(crate) fn filled(
        mut slots: Vec<AtomicU64>,
        capacity: usize,
        admissions: impl ExactSizeIterator<Item = u64>,
    ) -> Self {
        let cursor = AtomicUsize::new(admissions.len() % capacity);
        let first_lap = admissions.map(|at| Word::admission(at, true));
        let words = first_lap.chain(std::iter::repeat(Word::EMPTY)).take(capacity);
        slots.extend(words.map(|word| AtomicU64::new(word.bits())));
        Self { cursor, slots: slots.into_boxed_slice() }
    }

    #[inline]
    pub(crate) fn as_circle(&self) -> Circle<'_> {
        Circle::new(&self.cursor, &self.slots)
    }
}

#[cfg(all(test, not(windowlimit_loom)))]
mod tests {
    use std::time::Duration;

    use super::Grown;
    use crate::{limit::Limit, window::log::Admission};

    #[test]
    fn what_decides_is_as_much_as_there_are_units() {
        let grown = Grown::filled(Vec::new(), 1_000, (1..1_001_u32).map(u64::from));
        let limit = |max| Limit::new(max, Duration::from_secs(1)).expect("it is one");
        let decisive = grown.as_circle().decisive(&[limit(10), limit(990)], 2);
        let Ok(decisive) = decisive else { panic!("nobody froze it") };
        let one = |at| Admission { at, units: 1 };
        // 991, 990 and 989 places back, those between, 11, 10 and 9 places back, and the rest.
        let expected = [
            one(10),
            one(11),
            one(12),
            Admission { at: 989, units: 977 },
            one(990),
            one(991),
            one(992),
            Admission { at: 1_000, units: 8 },
        ];
        assert_eq!(decisive, expected);
    }
}

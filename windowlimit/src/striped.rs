//! Counters that all threads write, and none waits for.
//!
//! A counter that many threads add to costs each of them the way of a line of the cache from one to the other. So each thread
//! has a number as long as it lives, and each set of counters a stripe for each number, on a line that no other stripe has.
//!
//! * **S1, alone.** A number is had by one thread at a time ([`Numbers`]), so whoever has it adds to its stripe by a load and
//!   a store: nobody else writes there, and nothing is lost between the two.
//! * **S2, handed on.** A thread gives its number back when it ends, under the lock under which the next one takes it. So the
//!   next one finds all that was counted before, and adds to that.
//! * **S3, the others.** Who found no number, since there are so many threads, or who is about to end and has none any more,
//!   adds to counters that all of those share, by a read-modify-write. So does everybody to counters that a stripe has no room
//!   for.
//! * **S4, sums.** No counter ever shrinks. A sum has every call that ended before it began, as far as whoever asks can know
//!   of that; of those that come at the same time, it has some.

#[cfg(not(windowlimit_loom))]
use std::cell::Cell;

use crate::sync::{AtomicU64, Mutex, OnceBox, Ordering, array, const_fn};

/// So many counters: those of the first thread in place, those of the next in groups, as they come.
pub struct Striped<const N: usize> {
    first: Stripe,
    later: [OnceBox<[Stripe; GROUP]>; GROUPS],
    shared: OnceBox<[AtomicU64; N]>,
}

/// The counters of one thread: as many of them, from the first on, as there is room for on a line.
#[repr(align(64))]
struct Stripe([AtomicU64; 8]);

/// How many stripes are made at once.
const GROUP: usize = 4;

/// With what else there is they fill two lines, inside the limiter. (Models are small.)
const GROUPS: usize = if cfg!(windowlimit_loom) { 0 } else { 7 };

/// How many threads have a number at once.
const MOST: usize = 1 + GROUP * GROUPS;

/// Those that have none, and a number that is not known yet: beyond all stripes.
#[cfg(not(windowlimit_loom))]
const NONE: usize = MOST;
#[cfg(not(windowlimit_loom))]
const UNKNOWN: usize = MOST + 1;

impl<const N: usize> Striped<N> {
    const_fn! {
        /// All of them 0.
        #[allow(clippy::new_without_default)] // it is `const`, where it can be
        pub fn new() -> Self {
            Self { first: Stripe::new(), later: array![OnceBox::new(); GROUPS], shared: OnceBox::new() }
        }
    }

    /// Adds one to a counter.
    #[cfg(not(windowlimit_loom))]
    #[inline]
    pub(crate) fn add(&self, counter: usize) {
        match self.stripe(MINE.get()).and_then(|stripe| stripe.0.get(counter)) {
            Some(own) => add_alone(own),
            None => self.add_as(my_number(), counter),
        }
    }

    /// The same, by a thread that has this number, or none.
    #[cold]
    #[inline(never)]
    pub fn add_as(&self, number: Option<usize>, counter: usize) {
        if let Some(group) = number.and_then(|number| self.later.get(number.checked_sub(1)? / GROUP)) {
            group.get_or_init(|| Box::new(array![Stripe::new(); GROUP]));
        }
        if let Some(own) = number.and_then(|number| self.stripe(number)?.0.get(counter)) {
            return add_alone(own);
        }
        let shared = self.shared.get_or_init(|| Box::new(array![AtomicU64::new(0); N]));
        if let Some(counter) = shared.get(counter) {
            // Relaxed: the number is all there is. (S3)
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The stripe of a number, if it is there.
    #[inline]
    fn stripe(&self, number: usize) -> Option<&Stripe> {
        match number.checked_sub(1) {
            None => Some(&self.first),
            Some(later) => self.later.get(later / GROUP)?.get()?.get(later % GROUP),
        }
    }

    /// What a counter has come to.
    pub fn sum(&self, counter: usize) -> u64 {
        let own = (0..MOST).filter_map(|number| self.stripe(number)?.0.get(counter));
        let shared = self.shared.get().and_then(|shared| shared.get(counter));
        // Relaxed: the number is all there is. (S4)
        own.chain(shared).map(|counter| counter.load(Ordering::Relaxed)).sum()
    }
}

impl Stripe {
    const_fn! {
        fn new() -> Self {
            Self(array![AtomicU64::new(0); 8])
        }
    }
}

/// By whoever has the stripe alone (S1).
#[inline]
fn add_alone(counter: &AtomicU64) {
    // Relaxed, both: the last who wrote was this thread, or one whose number this one took since (S2).
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// Which numbers are taken, a bit for each.
pub struct Numbers(Mutex<u32>);

impl Numbers {
    const_fn! {
        /// None.
        #[allow(clippy::new_without_default)] // it is `const`, where it can be
        pub fn new() -> Self {
            Self(Mutex::new(0))
        }
    }

    /// The least that nobody has (S1).
    pub fn take(&self) -> Option<usize> {
        let mut taken = self.0.lock();
        let free = taken.trailing_ones();
        let number = usize::try_from(free).ok().filter(|number| *number < MOST)?;
        *taken |= 1 << free;
        Some(number)
    }

    /// Whoever takes it next sees what this thread did (S2).
    pub fn give_back(&self, number: usize) {
        *self.0.lock() &= !(1 << number);
    }
}

#[cfg(not(windowlimit_loom))]
static NUMBERS: Numbers = Numbers::new();

#[cfg(not(windowlimit_loom))]
thread_local! {
    /// The number of this thread. There is nothing to make and nothing to drop, so that it is as near as a static.
    static MINE: Cell<usize> = const { Cell::new(UNKNOWN) };

    /// Has the number until the thread ends.
    static LEASE: Lease = Lease(NUMBERS.take());
}

#[cfg(not(windowlimit_loom))]
struct Lease(Option<usize>);

#[cfg(not(windowlimit_loom))]
impl Drop for Lease {
    fn drop(&mut self) {
        // First: what else this thread does at its end, it does without (S1).
        MINE.set(NONE);
        if let Some(number) = self.0 {
            NUMBERS.give_back(number);
        }
    }
}

/// The number of this thread, which it gets when it asks for the first time.
#[cfg(not(windowlimit_loom))]
fn my_number() -> Option<usize> {
    if MINE.get() == UNKNOWN {
        let lease = LEASE.try_with(|lease| lease.0).ok().flatten();
        MINE.set(lease.unwrap_or(NONE));
    }
    Some(MINE.get()).filter(|number| *number < MOST)
}

#[cfg(all(test, not(windowlimit_loom)))]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::{Arc, Barrier},
        thread,
    };

    use super::*;

    #[test]
    fn a_number_is_had_by_one_at_a_time_and_then_by_another() {
        let numbers = Numbers::new();
        let all: BTreeSet<_> = (0..MOST).filter_map(|_| numbers.take()).collect();
        assert_eq!(all, (0..MOST).collect());
        assert_eq!(numbers.take(), None);
        numbers.give_back(7);
        assert_eq!((numbers.take(), numbers.take()), (Some(7), None));
    }

    /// More threads than there are numbers, all there at once, in three generations: each of a later one has a number that
    /// one of an earlier one had, or shares.
    #[test]
    fn nothing_is_lost_of_what_many_threads_count() {
        const THREADS: usize = 2 * MOST + 3;
        let striped: Arc<Striped<12>> = Arc::new(Striped::new());
        for generation in 1..=3 {
            let all_there = Arc::new(Barrier::new(THREADS));
            let threads: Vec<_> = (0..THREADS)
                .map(|_| {
                    let (striped, all_there) = (striped.clone(), all_there.clone());
                    thread::spawn(move || {
                        striped.add(0);
                        all_there.wait();
                        (0..1_000).for_each(|_| striped.add(1));
                        // Beyond the line.
                        (0..10).for_each(|_| striped.add(11));
                    })
                })
                .collect();
            for thread in threads {
                thread.join().expect("no panic");
            }
            let expected = generation * THREADS as u64;
            assert_eq!((striped.sum(0), striped.sum(1)), (expected, expected * 1_000));
            assert_eq!((striped.sum(11), striped.sum(2)), (expected * 10, 0));
        }
    }

    #[test]
    fn a_thread_counts_until_its_very_end() {
        struct AtTheEnd(Arc<Striped<1>>);
        impl Drop for AtTheEnd {
            fn drop(&mut self) {
                self.0.add(0);
            }
        }
        thread_local!(static LAST: Cell<Option<AtTheEnd>> = const { Cell::new(None) });

        let striped = Arc::new(Striped::new());
        let theirs = striped.clone();
        let thread = thread::spawn(move || {
            // What was made first is dropped last, after the number was given back.
            LAST.set(Some(AtTheEnd(theirs.clone())));
            theirs.add(0);
        });
        thread.join().expect("no panic");
        assert_eq!(striped.sum(0), 2);
    }
}

//! The exact window that all threads share without a lock: the decision, and the growth from circle to circle.
//!
//! The argument, I1 to I7, stands at the top of [`window`](super). What changes the ring itself, `grow` and `close`,
//! is done by one thread at a time: [`timeline`](super::timeline) sees to that. The common case has a way of its own, in
//! [`at_once`].

mod at_once;
mod full_until;
#[cfg(all(test, not(windowlimit_loom)))]
mod tests;
mod told;

use self::full_until::FullUntil;
use crate::{
    clock::{Clock, instant},
    limit::Limit,
    limits::Limits,
    others::Others,
    sync::{AtomicU8, AtomicU64, AtomicUsize, OnceBox, OnceCell, Ordering, array, const_fn, give_way},
    usage::Usage,
    window::{
        answer::{Full, Stop, Told},
        circle::{Circle, Frozen, Grown, Head},
        log::Admission,
        word::Word,
    },
};

/// The slots of the first circle. With the cursor they fill one cache line, inside the limiter: a function with
/// a small limit never allocates. The model checker gets two, so that its growths stay within reach.
const FIRST: usize = if cfg!(windowlimit_loom) { 2 } else { 7 };

/// Each circle is this many times as large as the one before. The circles that were given up are kept (nobody
/// can tell when the last reader has left); at four they hold a third of the current one.
const GROWTH: usize = 4;

/// How often a first circle grows before the last growth, to the largest limit, `u32::MAX`.
const GROWTHS: usize = 14;

/// An exact window over one limit or several.
pub(crate) struct Ring {
    first: First,
    /// In boxes: a limiter has all these places, and most never grow.
    grown: [OnceBox<Grown>; GROWTHS],
    /// The circle that holds as much as can be live and is never given up for a larger one: at a place that is known,
    /// where it is found without a look at `growths`.
    last: OnceCell<Grown>,
    /// How many times the ring has grown, perhaps a little late: the circle to look at first.
    growths: AtomicU8,
    /// The most places that a circle ever needs.
    most: usize,
    /// What refusals leave to the next ones (I7).
    full_until: FullUntil,
}

/// A circle in place; only as many of its slots are used as are ever needed.
#[repr(align(64))]
struct First {
    cursor: AtomicUsize,
    slots: [AtomicU64; FIRST],
}

/// The memory for a larger circle cannot be had.
pub(crate) struct OutOfMemory;

impl Ring {
    const_fn! {
        /// A window that nothing was admitted in, for limits of which this is the largest. It allocates nothing.
        pub(crate) fn new(largest: u32) -> Self {
            Self {
                first: First { cursor: AtomicUsize::new(0), slots: array![AtomicU64::new(0); FIRST] },
                grown: array![OnceBox::new(); GROWTHS],
                last: OnceCell::new(),
                growths: AtomicU8::new(0),
                // A circle has a head, also where nothing is ever admitted.
                most: if largest == 0 { 1 } else { largest as usize },
                full_until: FullUntil::new(),
            }
        }
    }

    /// A window that goes on from these admissions, oldest first, of which there may be more than the largest limit.
    pub(crate) fn from_admissions(largest: u32, admissions: &[u64]) -> Self {
        let mut ring = Self::new(largest);
        ring.most = ring.most.max(admissions.len());
        let growths = (0..=GROWTHS).find(|&growths| ring.capacity(growths) >= admissions.len());
        match growths.unwrap_or(GROWTHS + 1) {
            0 => {
                for (slot, &at) in ring.first.slots.iter_mut().zip(admissions) {
                    *slot = AtomicU64::new(Word::admission(at, true).bits());
                }
                ring.first.cursor = AtomicUsize::new(admissions.len() % ring.capacity(0));
            }
            growths => {
                let capacity = ring.capacity(growths);
                let slots = Vec::with_capacity(capacity);
                let is_alone = ring.put(growths, Grown::filled(slots, capacity, admissions.iter().copied()));
                debug_assert!(is_alone, "nobody else has seen this ring yet");
                #[allow(clippy::cast_possible_truncation)] // at most GROWTHS
                let growths = growths as u8;
                ring.growths = AtomicU8::new(growths);
            }
        }
        ring
    }

    /// Admits one unit if all limits have room for it. None of them is 0, and no instant is before `since`.
    pub(crate) fn claim<const RECEIPT: bool, C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
    ) -> Result<Option<Told>, Stop> {
        // A closure, since the method alone is of one lifetime only.
        #[allow(clippy::redundant_closure_for_method_calls)]
        let claimed = self.decide(limits, since, clock, |view| view.claim::<RECEIPT>())?;
        if claimed.is_ok() {
            self.full_until.forget();
        }
        claimed.map_err(|(full, others)| Stop::Full(full, others))
    }

    /// The state of each limit, in their order.
    pub(crate) fn usages<C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
    ) -> Result<Vec<Usage>, Stop> {
        self.decide(limits, since, clock, |view| {
            let usages = limits.as_slice().iter().map(|limit| view.usage_of(limit, 0));
            let usages = usages.collect::<Result<_, _>>()?;
            Ok(if view.is_still() { Step::Done(usages) } else { Step::Again })
        })
    }

    /// Lets `step` look at the window, and again until it is done.
    fn decide<'l, C: Clock + ?Sized, R>(
        &self,
        limits: &'l Limits,
        since: u64,
        clock: &C,
        step: impl Fn(View<'_, 'l>) -> Result<Step<R>, Frozen>,
    ) -> Result<R, Stop> {
        let (_, circle) = self.current();
        let mut seen = circle.search(circle.hint());
        // What the clock said before a look that is not the first.
        let mut before = None;
        loop {
            let Ok(head) = seen else { return Err(Stop::Moved) };
            // It serves if nobody was admitted later. Otherwise somebody has read the clock since, and so must this caller.
            let before_look = before.filter(|&reading| reading >= head.newest.at());
            let reading = before_look.unwrap_or_else(|| instant(clock));
            match step(View::at(circle, head, limits.first(), limits.others(), since, reading)) {
                Ok(Step::Done(result)) => return Ok(result),
                // The head is now near where it was. So says the cursor too, but that is a line more to wait for, which
                // whoever was faster is about to write: a caller that is late once should not be late for it again.
                Ok(Step::Again) => {
                    give_way();
                    // Now, so that little time passes between the next look and the claim.
                    before = Some(instant(clock));
                    seen = circle.search_on(head);
                }
                Ok(Step::Grow(full)) => return Err(Stop::Outgrown(Some(full))),
                Err(Frozen) => return Err(Stop::Moved),
            }
        }
    }

    /// The newest circle, or one that it was grown from, and how many times it had grown; the last one, which does
    /// not grow, as many times as any could.
    #[inline]
    fn current(&self) -> (usize, Circle<'_>) {
        if let Some(last) = self.last.get() {
            return (GROWTHS + 1, last.as_circle());
        }
        // Relaxed: only a hint. Who comes too early finds the marks of a circle that was given up, and then waits for
        // whoever did that, by which the newer one becomes visible.
        let growths = usize::from(self.growths.load(Ordering::Relaxed));
        match growths.checked_sub(1).and_then(|newest| self.grown.get(newest)?.get()) {
            Some(grown) => (growths, grown.as_circle()),
            None => (0, Circle::new(&self.first.cursor, &self.first.slots[..self.capacity(0)])),
        }
    }

    /// Puts a larger circle in the place of one in which all is live and which a limit has outgrown. If that has been
    /// done already, the next that needs it will find it. Only one thread may do so, or close.
    pub(crate) fn grow(&self) -> Result<(), OutOfMemory> {
        let (growths, circle) = self.current();
        // Others may have found the same circle full, and one of them has been here: what it put there has room.
        let has_room = circle.search(circle.hint()).is_ok_and(|head| head.oldest.is_empty());
        if growths > GROWTHS || has_room {
            return Ok(());
        }
        // First all memory, then the marks: a circle is never frozen without another to go to.
        let capacity = self.capacity(growths + 1);
        let slots = room_for(capacity)?;
        let mut admissions = room_for(circle.capacity())?;
        circle.freeze(&mut admissions);
        let is_alone =
            self.put(growths + 1, Grown::filled(slots, capacity, admissions.iter().map(|word| word.at())));
        debug_assert!(is_alone, "only one thread grows a ring");
        #[allow(clippy::cast_possible_truncation)] // at most GROWTHS + 1
        // Relaxed: only a hint, see `current`.
        self.growths.store((growths + 1) as u8, Ordering::Relaxed);
        Ok(())
    }

    /// What decides when so many more units have room; `None` if it was closed, or is just growing.
    pub(crate) fn decisive(&self, limits: &Limits, units: u64) -> Option<Vec<Admission>> {
        let units = usize::try_from(units).unwrap_or(usize::MAX);
        self.current().1.decisive(limits.as_slice(), units).ok()
    }

    /// Ends the window: nothing is admitted any more. The admissions that it remembers, oldest first. Only one thread
    /// may do so, or grow.
    pub(crate) fn close(&self) -> Vec<Word> {
        let (_, circle) = self.current();
        let mut admissions = Vec::with_capacity(circle.capacity());
        circle.freeze(&mut admissions);
        self.full_until.close();
        admissions
    }

    /// How many slots a circle has that has grown so many times.
    #[inline]
    fn capacity(&self, growths: usize) -> usize {
        (0..growths).fold(FIRST, |slots, _| slots.saturating_mul(GROWTH)).min(self.most)
    }

    /// Puts a circle that has grown so many times, at least once, where it is looked for. Whether nobody else had.
    fn put(&self, growths: usize, grown: Grown) -> bool {
        if self.capacity(growths) == self.most {
            self.last.set(grown).is_ok()
        } else {
            self.grown[growths - 1].set(Box::new(grown)).is_ok()
        }
    }
}

/// An admission, or what has no room for it; each with the state of the other limits.
type Claimed = Result<Option<Told>, (Full, Others)>;

/// What is to be done after a look at the window.
enum Step<R> {
    Done(R),
    /// Another call was faster: look again.
    Again,
    /// Go on in a larger circle; if there is no memory for one, this is the answer.
    Grow(Full),
}

/// The window at the instant of a decision: what a decision rests on, and what it changes.
#[derive(Clone, Copy)]
struct View<'r, 'l> {
    circle: Circle<'r>,
    head: Head,
    first: &'l Limit,
    others: &'l [Limit],
    /// What the clock said.
    reading: u64,
    /// The instant of the decision: the reading or, if the clock went back, the newest admission (I1) or the instant
    /// at which the limits were changed.
    now: u64,
}

// Left to itself, the compiler passes views through memory here; that doubles the cost of a decision over that of
// the clock.
#[allow(clippy::inline_always)]
impl<'r, 'l> View<'r, 'l> {
    /// At this reading of the clock, made after a look at the state and before it is changed, and again at each retry: a
    /// caller that stalls before this is not entered in the past.
    #[inline(always)]
    fn at(
        circle: Circle<'r>,
        head: Head,
        first: &'l Limit,
        others: &'l [Limit],
        since: u64,
        reading: u64,
    ) -> Self {
        /// The clock went back. (A branch that is never taken costs less than to compute the larger one.)
        #[cold]
        fn not_before(newest: u64) -> u64 {
            newest
        }
        let newest = head.newest.at().max(since);
        let now = if reading >= newest { reading } else { not_before(newest) };
        Self { circle, head, first, others, reading, now }
    }

    /// Enters one admission if each limit has room for it.
    #[inline(always)]
    fn claim<const RECEIPT: bool>(self) -> Result<Step<Claimed>, Frozen> {
        Ok(match self.judge()? {
            Verdict::Room => {
                // Read before the claim: if that succeeds, nobody has come between.
                let told = if RECEIPT { Some(self.receipt()?) } else { None };
                if self.circle.claim(self.head, self.now) { Step::Done(Ok(told)) } else { Step::Again }
            }
            Verdict::Full(full) => {
                let others = self.beside(&full.limit, full.remaining, 0)?;
                if self.is_still() { Step::Done(Err((full, others))) } else { Step::Again }
            }
            Verdict::Outgrown(full) => Step::Grow(full),
        })
    }

    /// Whether each limit has room for one more admission.
    #[inline(always)]
    fn judge(self) -> Result<Verdict, Frozen> {
        let mut verdict = self.judge_one(self.first)?;
        for limit in self.others {
            verdict = verdict.and(self.judge_one(limit)?);
        }
        Ok(verdict)
    }

    #[inline(always)]
    fn judge_one(self, limit: &Limit) -> Result<Verdict, Frozen> {
        let n = limit.max() as usize;
        let remembered = n <= self.circle.capacity();
        let word = if remembered { self.circle.look_back(self.head, n)? } else { self.head.oldest };
        if !word.is_live(self.now, limit.nanos()) {
            return Ok(Verdict::Room);
        }
        let retry_after = word.at() + limit.nanos() - self.reading;
        // What has no room for one unit has none left.
        let full = Full { limit: *limit, retry_after, remaining: 0 };
        Ok(if remembered { Verdict::Full(full) } else { Verdict::Outgrown(full) })
    }

    /// Whether nothing was admitted since the head was read.
    #[inline]
    fn is_still(self) -> bool {
        self.circle.is_still(self.head)
    }
}

/// What the limits say of one more admission.
enum Verdict {
    Room,
    Full(Full),
    /// There is room, but the slot to be overwritten is still needed by this limit. (As long as it cannot grow,
    /// the circle counts as full.)
    Outgrown(Full),
}

impl Verdict {
    /// What two limits say together. The one that has room last decides when to come back.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Full(a), Self::Full(b)) => Self::Full(a.or_later(b)),
            (Self::Full(full), _) | (_, Self::Full(full)) => Self::Full(full),
            (Self::Outgrown(full), _) | (_, Self::Outgrown(full)) => Self::Outgrown(full),
            (Self::Room, Self::Room) => Self::Room,
        }
    }
}

fn room_for<T>(items: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    list.try_reserve_exact(items).map_err(|_| OutOfMemory)?;
    Ok(list)
}

//! The exact window that all threads share without a lock: the decision, and the growth from circle to circle.
//!
//! The argument, I1 to I6, stands at the top of [`window`](super).

use crate::{
    clock::{Clock, instant},
    limit::Limit,
    limits::Limits,
    sync::{AtomicU8, AtomicU64, AtomicUsize, OnceCell, Ordering, array, const_fn},
    usage::Usage,
    window::{
        circle::{Circle, Frozen, Head},
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
    grown: [OnceCell<Grown>; GROWTHS],
    /// The circle that holds the largest limit and is never given up: at a place that is known, where it is found
    /// without a look at `growths`.
    last: OnceCell<Grown>,
    /// How many times the ring has grown, perhaps a little late: the circle to look at first.
    growths: AtomicU8,
}

/// A circle in place; only as many of its slots are used as the largest limit needs.
#[repr(align(64))]
struct First {
    cursor: AtomicUsize,
    slots: [AtomicU64; FIRST],
}

struct Grown {
    cursor: AtomicUsize,
    slots: Box<[AtomicU64]>,
}

/// This limit has no room for another so many nanoseconds.
#[derive(Clone, Copy)]
pub(crate) struct Full<'l> {
    pub(crate) limit: &'l Limit,
    pub(crate) retry_after: u64,
}

/// The memory for a larger circle cannot be had.
struct OutOfMemory;

impl Ring {
    const_fn! {
        /// A window that nothing was admitted in. It allocates nothing.
        pub(crate) fn new() -> Self {
            Self {
                first: First { cursor: AtomicUsize::new(0), slots: array![AtomicU64::new(0); FIRST] },
                grown: array![OnceCell::new(); GROWTHS],
                last: OnceCell::new(),
                growths: AtomicU8::new(0),
            }
        }
    }

    /// Admits one unit if every limit has room for it; none of the limits may be 0.
    ///
    /// `observe` sees the window as the decision does: if the unit is admitted, nobody came between.
    #[inline]
    pub(crate) fn try_claim<'l, C: Clock + ?Sized, R>(
        &self,
        limits: &'l Limits,
        clock: &C,
        observe: impl Fn(Window<'_, 'l>) -> Result<R, Frozen>,
    ) -> Result<R, Full<'l>> {
        self.decide(limits, clock, |window| {
            Ok(match window.judge()? {
                Verdict::Room => {
                    let seen = observe(window)?;
                    if window.claim() { Step::Done(Ok(seen)) } else { Step::Again }
                }
                Verdict::Full(full) if window.is_still() => Step::Done(Err(full)),
                Verdict::Full(_) => Step::Again,
                Verdict::Outgrown(full) => Step::Grow(Err(full)),
            })
        })
    }

    /// The state of the tightest limit.
    pub(crate) fn usage<C: Clock + ?Sized>(&self, limits: &Limits, clock: &C) -> Usage {
        self.decide(limits, clock, |window| {
            let usage = window.usage(0)?;
            Ok(if window.is_still() { Step::Done(usage) } else { Step::Again })
        })
    }

    /// Lets `step` look at the window, and again until it is done.
    ///
    /// The common case comes first and alone, so that it is short: one limit, the hint is right, nobody comes
    /// between.
    #[inline]
    fn decide<'l, C: Clock + ?Sized, R>(
        &self,
        limits: &'l Limits,
        clock: &C,
        step: impl Fn(Window<'_, 'l>) -> Result<Step<R>, Frozen>,
    ) -> R {
        if limits.is_one() {
            let (_, circle) = self.current(limits);
            if let Ok(Some(head)) = circle.head_at(circle.hint()) {
                if let Ok(Step::Done(result)) = step(Window::now(circle, head, limits.first(), &[], clock)) {
                    return result;
                }
            }
        }
        self.decide_in_full(limits, clock, step)
    }

    /// The same for any limits, any hint and any number of others, from the start.
    #[cold]
    #[inline(never)]
    fn decide_in_full<'l, C: Clock + ?Sized, R>(
        &self,
        limits: &'l Limits,
        clock: &C,
        step: impl Fn(Window<'_, 'l>) -> Result<Step<R>, Frozen>,
    ) -> R {
        let (mut growths, mut circle) = self.current(limits);
        loop {
            let stepped = circle
                .search(circle.hint())
                .and_then(|head| step(Window::now(circle, head, limits.first(), limits.others(), clock)));
            let otherwise = match stepped {
                Ok(Step::Done(result)) => return result,
                Ok(Step::Again) => continue,
                Ok(Step::Grow(otherwise)) => Some(otherwise),
                Err(Frozen) => None,
            };
            match (self.grown(limits, growths, circle), otherwise) {
                (Ok(larger), _) => (growths, circle) = (growths + 1, larger),
                (Err(OutOfMemory), Some(otherwise)) => return otherwise,
                // Not reached: a circle is frozen only when the memory for the next one is there. Look again.
                (Err(OutOfMemory), None) => (growths, circle) = self.current(limits),
            }
        }
    }

    /// The newest circle, or one that it was grown from, and how many times it had grown; the last one, which does
    /// not grow, as many times as any could.
    #[inline]
    fn current(&self, limits: &Limits) -> (usize, Circle<'_>) {
        if let Some(last) = self.last.get() {
            return (GROWTHS + 1, Circle::new(&last.cursor, &last.slots));
        }
        // Relaxed: only a hint. A circle that is not visible yet is found from the first, by way of its marks.
        let growths = usize::from(self.growths.load(Ordering::Relaxed));
        match growths.checked_sub(1).and_then(|newest| self.grown.get(newest)?.get()) {
            Some(grown) => (growths, Circle::new(&grown.cursor, &grown.slots)),
            None => (0, Circle::new(&self.first.cursor, &self.first.slots[..capacity(0, limits)])),
        }
    }

    /// The circle after this one, which had grown so many times. The first to need it makes it, and freezes this
    /// one; others wait for that, once in the life of a circle.
    #[cold]
    fn grown(&self, limits: &Limits, growths: usize, circle: Circle<'_>) -> Result<Circle<'_>, OutOfMemory> {
        let is_last = capacity(growths + 1, limits) == limits.largest() as usize;
        let cell = if is_last { &self.last } else { self.grown.get(growths).ok_or(OutOfMemory)? };
        let grown = cell.get_or_try_init(|| {
            // First all memory, then the marks: a circle is never frozen without another to go to.
            let capacity = capacity(growths + 1, limits);
            let mut slots = room_for::<AtomicU64>(capacity)?;
            let mut admissions = room_for::<Word>(circle.capacity())?;
            circle.freeze(&mut admissions);
            // The admissions are the first lap of the larger circle.
            let first_lap = admissions.iter().map(|word| Word::admission(word.at(), true));
            let words = first_lap.chain(std::iter::repeat(Word::EMPTY)).take(capacity);
            slots.extend(words.map(|word| AtomicU64::new(word.bits())));
            let cursor = AtomicUsize::new(admissions.len());
            Ok(Grown { cursor, slots: slots.into_boxed_slice() })
        })?;
        #[allow(clippy::cast_possible_truncation)] // at most GROWTHS
        // Relaxed: only a hint, see `current`. The maximum, since a late thread may come with less.
        self.growths.fetch_max((growths + 1) as u8, Ordering::Relaxed);
        Ok(Circle::new(&grown.cursor, &grown.slots))
    }
}

/// What is to be done after a look at the window.
enum Step<R> {
    Done(R),
    /// Another call was faster: look again.
    Again,
    /// Go on in a larger circle; if there is no memory for one, this is the answer.
    Grow(R),
}

/// The window at the instant of a decision: what a decision rests on, and what it changes.
#[derive(Clone, Copy)]
pub(crate) struct Window<'r, 'l> {
    circle: Circle<'r>,
    head: Head,
    first: &'l Limit,
    others: &'l [Limit],
    /// What the clock said.
    reading: u64,
    /// The instant of the decision: the reading or, if the clock went back, the newest admission (I1).
    now: u64,
}

// Left to itself, the compiler passes windows through memory here; that doubles the cost of a decision over that of
// the clock.
#[allow(clippy::inline_always)]
impl<'r, 'l> Window<'r, 'l> {
    /// Reads the clock after the state was read and before it is changed, again at each retry: a caller that
    /// stalls before this is not entered in the past.
    #[inline(always)]
    fn now<C: Clock + ?Sized>(
        circle: Circle<'r>,
        head: Head,
        first: &'l Limit,
        others: &'l [Limit],
        clock: &C,
    ) -> Self {
        /// The clock went back. (A branch that is never taken costs less than to compute the larger one.)
        #[cold]
        fn not_before(newest: u64) -> u64 {
            newest
        }
        let reading = instant(clock);
        let newest = head.newest.at();
        let now = if reading >= newest { reading } else { not_before(newest) };
        Self { circle, head, first, others, reading, now }
    }

    /// Whether each limit has room for one more admission.
    #[inline(always)]
    fn judge(self) -> Result<Verdict<'l>, Frozen> {
        let mut verdict = self.judge_one(self.first)?;
        for limit in self.others {
            verdict = verdict.and(self.judge_one(limit)?);
        }
        Ok(verdict)
    }

    #[inline(always)]
    fn judge_one(self, limit: &'l Limit) -> Result<Verdict<'l>, Frozen> {
        let n = limit.max() as usize;
        let remembered = n <= self.circle.capacity();
        let word = if remembered { self.circle.look_back(self.head, n)? } else { self.head.oldest };
        if !word.is_live(self.now, limit.nanos()) {
            return Ok(Verdict::Room);
        }
        let full = Full { limit, retry_after: word.at() + limit.nanos() - self.reading };
        Ok(if remembered { Verdict::Full(full) } else { Verdict::Outgrown(full) })
    }

    /// Enters one admission; false if another call was faster.
    #[inline]
    fn claim(self) -> bool {
        self.circle.claim(self.head, self.now)
    }

    /// Whether nothing was admitted since the head was read.
    #[inline]
    fn is_still(self) -> bool {
        self.circle.is_still(self.head)
    }

    /// The state of the tightest limit with this many more admissions at this instant, 0 or 1.
    #[inline]
    pub(crate) fn usage(self, more: u32) -> Result<Usage, Frozen> {
        let mut tightest = self.usage_of(self.first, more)?;
        for limit in self.others {
            let usage = self.usage_of(limit, more)?;
            if usage.is_tighter_than(&tightest) {
                tightest = usage;
            }
        }
        Ok(tightest)
    }

    #[inline]
    fn usage_of(self, limit: &Limit, more: u32) -> Result<Usage, Frozen> {
        let live = self.circle.live(self.head, limit, self.now)?;
        let since = live.since.or((more > 0).then_some(self.now));
        let reset_after = since.map_or(0, |since| since + limit.nanos() - self.reading);
        Ok(Usage::new(*limit, live.units + more, reset_after))
    }
}

/// What the limits say of one more admission.
enum Verdict<'l> {
    Room,
    Full(Full<'l>),
    /// There is room, but the slot to be overwritten is still needed by this limit. (As long as it cannot grow,
    /// the circle counts as full.)
    Outgrown(Full<'l>),
}

impl Verdict<'_> {
    /// What two limits say together. The one that has room last decides when to come back.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Full(a), Self::Full(b)) => Self::Full(if b.retry_after > a.retry_after { b } else { a }),
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

/// How many slots a circle has that has grown so many times: never more than the largest limit.
#[inline]
fn capacity(growths: usize, limits: &Limits) -> usize {
    let largest = limits.largest() as usize;
    (0..growths).fold(FIRST, |slots, _| slots.saturating_mul(GROWTH)).min(largest)
}

//! Windows that do not slide: each holds at most N units, and the next begins with the first admission after its end.
//! So up to 2N - 1 units fit into an interval of the length W around an edge.
//!
//! * **X1, one word.** With one limit the start of the window and its units are one word, and a decision is one
//!   compare-and-swap from what was read to what is then. Equal words are equal states, so nothing else is to be
//!   published or ordered.
//! * **X2, strict.** No instant is before the start of the window that is open, whatever the clock says.
//! * **X3, numbers.** The word has as many bits for the units as the limit needs, and the rest for the start in
//!   nanoseconds since `base`: 32 bits at least, 61 for a limit of 5. When they run out, the window is replaced by one with
//!   a later base: with a limit of four thousand millions once a window or every four seconds, whichever is rarer, with
//!   a limit of 5 after 73 years.
//! * **X4, several.** Several limits are several such windows, which one word cannot hold: they are decided under a
//!   lock.

use crate::{
    clock::{Clock, instant},
    limit::Limit,
    limits::Limits,
    others::Others,
    sync::{AtomicU64, Mutex, Ordering},
    usage::Usage,
    window::answer::{Full, Receipt, Stop, Told},
};

/// A fixed window over one limit or several.
pub(crate) enum Fixed {
    One(Word),
    /// `None` if this was given up.
    Several(Mutex<Option<Several>>),
}

/// A window for each limit.
pub(crate) struct Several {
    open: Vec<Open>,
    /// What a decision makes of them, until it is known whether that is kept.
    next: Vec<Open>,
}

/// Whether a decision changes the windows that it saw.
enum Write<R> {
    Yes(R),
    No(R),
}

/// A window as it is when nobody else is about: from when it counts, which is 0 if it has not begun, and how many units
/// it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) start: u64,
    pub(crate) units: u32,
}

/// The window of one limit.
pub(crate) struct Word {
    /// Low bits: units. High bits: the start since `base`. All zeros: it has not begun. All ones: this was given up.
    state: AtomicU64,
    base: u64,
    bits: u32,
}

const CLOSED: u64 = u64::MAX;

impl Open {
    pub(crate) const NONE: Self = Self { start: 0, units: 0 };

    /// The instant of a decision (X2).
    pub(crate) fn time(self, reading: u64) -> u64 {
        reading.max(self.start)
    }

    pub(crate) fn is_open(self, now: u64, limit: &Limit) -> bool {
        // No overflow: an instant ends below 2^63 - 1, a window at it.
        self.start > 0 && now < self.start + limit.nanos()
    }

    /// What is open at this instant: this, or one that begins now.
    pub(crate) fn at(self, now: u64, limit: &Limit) -> Self {
        if self.is_open(now, limit) { self } else { Self { start: now, units: 0 } }
    }

    /// What stands in the way of a call that takes so many units.
    pub(crate) fn judge(self, limit: &Limit, cost: u32, reading: u64) -> Option<Full> {
        let fits = u64::from(self.units) + u64::from(cost) <= u64::from(limit.max());
        let remaining = limit.remaining(u64::from(self.units));
        (!fits).then(|| Full { limit: *limit, retry_after: self.start + limit.nanos() - reading, remaining })
    }

    /// With so many units more, which fit.
    pub(crate) fn with(self, cost: u32) -> Self {
        Self { units: self.units.saturating_add(cost), ..self }
    }

    /// Without units that were admitted at this instant, if they are in this window; it must be open.
    pub(crate) fn without(self, at: u64, units: u32) -> Self {
        if at >= self.start { Self { units: self.units.saturating_sub(units), ..self } } else { self }
    }

    pub(crate) fn usage(self, limit: &Limit, reading: u64) -> Usage {
        let reset_after = if self.units > 0 { self.start + limit.nanos() - reading } else { 0 };
        Usage::new(*limit, self.units, reset_after)
    }
}

/// The window that goes on for a limit: that of the limit with the same length or, if there was none, of the longest.
pub(crate) fn heir(limit: &Limit, known: &[(Limit, Open)]) -> Open {
    let same = known.iter().find(|(known, _)| known.nanos() == limit.nanos());
    let longest = || known.iter().max_by_key(|(known, _)| known.nanos());
    same.or_else(longest).map_or(Open::NONE, |(_, open)| *open)
}

impl Fixed {
    /// Windows that go on from these, one for each limit, of which none begins after `now`.
    pub(crate) fn new(limits: &Limits, now: u64, open: Vec<Open>) -> Self {
        match (limits.as_slice(), &open[..]) {
            ([limit], [open]) => Self::One(Word::new(limit, now, *open)),
            _ => Self::Several(Mutex::new(Some(Several { next: open.clone(), open }))),
        }
    }

    /// Admits a call that takes so many units, if every limit has room for it; each must be able to.
    pub(crate) fn claim<const RECEIPT: bool, C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
        cost: u32,
    ) -> Result<Option<Told>, Stop> {
        let limits = limits.as_slice();
        self.update(since, clock, |reading, now, windows| {
            let each = || limits.iter().zip(&*windows).map(|(limit, open)| (limit, open.at(now, limit)));
            let usages = |more| each().map(move |(limit, open)| open.with(more).usage(limit, reading));
            if let Some(full) = Full::last(each().map(|(limit, open)| open.judge(limit, cost, reading))) {
                return Write::No(Err((full, Others::of(&full.limit, full.remaining, usages(0)))));
            }
            let told = RECEIPT.then(|| {
                let usage = Usage::tightest(usages(cost));
                let others = Others::of(usage.tightest_limit(), usage.remaining(), usages(cost));
                (Receipt { usage, at: now, cost }, others)
            });
            let told = Ok(told);
            if cost == 0 {
                return Write::No(told);
            }
            for (limit, open) in limits.iter().zip(windows) {
                *open = open.at(now, limit).with(cost);
            }
            Write::Yes(told)
        })?
        .map_err(|(full, others)| Stop::Full(full, others))
    }

    /// The state of each limit, in their order.
    pub(crate) fn usages<C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
    ) -> Result<Vec<Usage>, Stop> {
        self.update(since, clock, |reading, now, windows| {
            let each = limits.as_slice().iter().zip(windows);
            Write::No(each.map(|(limit, open)| open.at(now, limit).usage(limit, reading)).collect())
        })
    }

    /// Gives back an admission, as long as a window is open that holds it.
    pub(crate) fn refund<C: Clock + ?Sized>(
        &self,
        limits: &Limits,
        since: u64,
        clock: &C,
        at: u64,
        units: u32,
    ) -> Result<(), Stop> {
        self.update(since, clock, |_, now, windows| {
            let mut holds_it = false;
            for (limit, open) in limits.as_slice().iter().zip(windows) {
                let (with, without) = (open.at(now, limit), open.at(now, limit).without(at, units));
                if with != without {
                    *open = without;
                    holds_it = true;
                }
            }
            if holds_it { Write::Yes(()) } else { Write::No(()) }
        })
    }

    /// The windows as they are; `None` if they were given up.
    pub(crate) fn look(&self) -> Option<Vec<Open>> {
        match self {
            // Relaxed: the word is the whole state (X1).
            Self::One(word) => Some(vec![word.decode(word.state.load(Ordering::Relaxed))?]),
            Self::Several(several) => Some(several.lock().as_ref()?.open.clone()),
        }
    }

    /// Ends the windows: nothing is admitted any more.
    pub(crate) fn close(&self) -> Vec<Open> {
        match self {
            Self::One(word) => {
                // Relaxed: the word is the whole state (X1).
                vec![word.decode(word.state.swap(CLOSED, Ordering::Relaxed)).unwrap_or(Open::NONE)]
            }
            Self::Several(several) => several.lock().take().map(|several| several.open).unwrap_or_default(),
        }
    }

    /// Lets a decision change the windows. It gets the reading and its instant, which is not before `since`.
    fn update<C: Clock + ?Sized, R>(
        &self,
        since: u64,
        clock: &C,
        decide: impl Fn(u64, u64, &mut [Open]) -> Write<R>,
    ) -> Result<R, Stop> {
        let decide = |open: &mut [Open]| {
            let reading = instant(clock);
            let now = open.iter().fold(reading.max(since), |now, open| open.time(now));
            decide(reading, now, open)
        };
        match self {
            Self::One(word) => word.update(decide),
            Self::Several(several) => Ok(several.lock().as_mut().ok_or(Stop::Moved)?.update(decide)),
        }
    }
}

impl Several {
    fn update<R>(&mut self, decide: impl Fn(&mut [Open]) -> Write<R>) -> R {
        self.next.copy_from_slice(&self.open);
        match decide(&mut self.next) {
            Write::No(result) => result,
            Write::Yes(result) => {
                std::mem::swap(&mut self.open, &mut self.next);
                result
            }
        }
    }
}

impl Word {
    fn new(limit: &Limit, now: u64, open: Open) -> Self {
        let most = limit.max().max(open.units);
        let word = Self {
            state: AtomicU64::new(0),
            // Before the start, so that a window that has begun is never all zeros.
            base: if open.start > 0 { open.start } else { now } - 1,
            bits: u32::BITS - most.leading_zeros(),
        };
        let state = if open.start > 0 { word.encode(open).unwrap_or(0) } else { 0 };
        Self { state: AtomicU64::new(state), ..word }
    }

    fn update<R>(&self, decide: impl Fn(&mut [Open]) -> Write<R>) -> Result<R, Stop> {
        loop {
            // Relaxed, all: the word is the whole state (X1).
            let seen = self.state.load(Ordering::Relaxed);
            let mut open = [self.decode(seen).ok_or(Stop::Moved)?];
            let result = match decide(&mut open) {
                // It was so when it was read.
                Write::No(result) => return Ok(result),
                Write::Yes(result) => result,
            };
            let [open] = open;
            let next = self.encode(open).ok_or(Stop::Outgrown(None))?;
            if self.state.compare_exchange(seen, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Ok(result);
            }
        }
    }

    /// `None` if this was given up.
    fn decode(&self, state: u64) -> Option<Open> {
        match state {
            CLOSED => return None,
            0 => return Some(Open::NONE),
            _ => {}
        }
        let units = state & ((1 << self.bits) - 1);
        #[allow(clippy::cast_possible_truncation)] // at most 32 bits
        Some(Open { start: self.base + (state >> self.bits), units: units as u32 })
    }

    /// `None` if the start is too late for the word, or too early (X3).
    fn encode(&self, open: Open) -> Option<u64> {
        let last = (CLOSED >> self.bits) - 1;
        let start = open.start.checked_sub(self.base).filter(|start| (1..=last).contains(start))?;
        Some(start << self.bits | u64::from(open.units))
    }
}

//! Until when the window is full, as a refusal has found it: what spares the next refusals the look at the window.
//!
//! The argument is I7 in [`window`](crate::window).

use crate::{
    clock::{Clock, LAST_INSTANT, Latest, instant},
    retry::Retry,
    sync::{AtomicU64, Ordering, const_fn},
};

/// One word, which refusals write and admissions take back.
///
/// All is Relaxed. The word says by itself all that whoever reads it goes by; and a call that begins after a window was
/// closed, as whoever makes it can tell, finds it closed.
pub(super) struct FullUntil(AtomicU64);

/// What is known.
///
/// | bits | what |
/// |---|---|
/// | 0 | whether it is long until then, so that the [latest](Clock::latest) that the time may be is worth asking for |
/// | 1 to 63 | the first instant at which there is room, `1..=LAST_INSTANT`; 0 where nothing is known |
///
/// All ones is a window that was closed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Known(u64);

/// What a call is told by it.
pub(super) enum Answer {
    /// The window is full, and this is when to come again.
    Full(Option<Retry>),
    /// It may have room: so late it was by the clock.
    Over(u64),
    /// Others were admitted meanwhile, or this is not the current window any more.
    Changed,
}

impl FullUntil {
    const_fn! {
        /// Nothing is known yet.
        pub(super) fn new() -> Self {
            Self(AtomicU64::new(Known::NOTHING.0))
        }
    }

    #[inline]
    pub(super) fn known(&self) -> Known {
        Known(self.0.load(Ordering::Relaxed))
    }

    /// Enters that there is no room before this instant, if what was known when the call began still stands. The newest
    /// admission tells, for nothing, whether that is long: the time is not before it.
    #[inline]
    pub(super) fn learn(&self, known: Known, free_at: u64, newest: u64) {
        if free_at <= LAST_INSTANT {
            let is_long = free_at > newest + Latest::SLACK;
            self.replace(known, Known(free_at << 1 | u64::from(is_long)));
        }
    }

    /// Takes back what is known: a call was admitted.
    #[inline]
    pub(super) fn forget(&self) {
        let known = self.known();
        if known != Known::NOTHING {
            self.replace(known, Known::NOTHING);
        }
    }

    /// What a call is told that knows something. It goes by the latest that the time may be, if that is enough: what is full
    /// until then is full now, and nobody needs to know the exact time.
    #[allow(clippy::inline_always)] // as all of a decision
    #[inline(always)]
    pub(super) fn ask<C: Clock + ?Sized>(&self, known: Known, clock: &C) -> Answer {
        if known == Known::CLOSED {
            return Answer::Changed;
        }
        let free_at = known.0 >> 1;
        // As an instant, the latest reading is a nanosecond more.
        let retry = if known.is_long() && clock.latest().is_some_and(|latest| latest.nanos() < free_at - 1) {
            Retry::at(free_at)
        } else {
            let reading = instant(clock);
            if reading >= free_at {
                return Answer::Over(reading);
            }
            Retry::after(free_at - reading)
        };
        // The refusal was right when the clock was read. Who stalled since, and was overtaken, looks at the window all the
        // same: there may be room by now.
        if self.known() == known { Answer::Full(retry) } else { Answer::Changed }
    }

    /// What was learned meanwhile stays, and a closed window stays closed.
    #[cold]
    fn replace(&self, known: Known, next: Known) {
        if known != Known::CLOSED {
            let _ = self.0.compare_exchange(known.0, next.0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Nobody is told anything by it any more.
    pub(super) fn close(&self) {
        self.0.swap(Known::CLOSED.0, Ordering::Relaxed);
    }
}

impl Known {
    const NOTHING: Self = Self(0);
    const CLOSED: Self = Self(u64::MAX);
    const IS_LONG: u64 = 1;

    #[inline]
    pub(super) fn is_nothing(self) -> bool {
        self == Self::NOTHING
    }

    #[inline]
    fn is_long(self) -> bool {
        self.0 & Self::IS_LONG != 0
    }
}

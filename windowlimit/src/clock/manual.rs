//! A clock for tests.

use std::{
    collections::BTreeMap,
    fmt,
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use super::{Clock, HEAD_START, Sleep, nanos};
use crate::sync::unmodelled::{AtomicU64, Ordering};

/// A clock that moves only when it is told to, for tests.
///
/// Share it with a limiter by reference or by `Arc`. It starts one second after its origin.
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, Limiter, ManualClock};
///
/// let clock = ManualClock::new();
/// let limiter = Limiter::with_clock("door", &[const { Limit::per_minute(1) }], &clock);
///
/// assert!(limiter.try_acquire().is_ok());
/// clock.advance(Duration::from_secs(60) - Duration::from_nanos(1));
/// assert!(limiter.try_acquire().is_err());
/// clock.advance(Duration::from_nanos(1));
/// assert!(limiter.try_acquire().is_ok());
/// ```
///
/// # Concurrency
///
/// Every method is atomic. A thread that learns of a movement in another way, by a channel or a join, reads the
/// clock as moved.
///
/// Calls that wait for their turn on this clock sleep until it has been moved there; nothing sleeps in real time.
pub struct ManualClock {
    now: AtomicU64,
    sleepers: Mutex<Sleepers>,
}

/// Who wants to be woken: by instant, then in the order in which they came.
#[derive(Default)]
struct Sleepers {
    wakers: BTreeMap<(u64, u64), Waker>,
    next: u64,
}

impl ManualClock {
    /// A clock that stands at one second after its origin.
    #[must_use]
    pub const fn new() -> Self {
        Self::starting_at(HEAD_START)
    }

    /// A clock that stands at so many nanoseconds after its origin.
    #[must_use]
    pub const fn starting_at(nanos: u64) -> Self {
        Self {
            now: AtomicU64::new(nanos),
            sleepers: Mutex::new(Sleepers { wakers: BTreeMap::new(), next: 0 }),
        }
    }

    /// Moves the clock forward; it stops at the end of time, `u64::MAX` nanoseconds.
    pub fn advance(&self, by: Duration) {
        // Relaxed, both: the reading is the whole message. Whoever has to see it is told in another way.
        let _ = self
            .now
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| Some(now.saturating_add(nanos(by))));
        self.wake();
    }

    /// Puts the clock to so many nanoseconds after its origin, back as well as forward.
    pub fn set(&self, nanos: u64) {
        // Relaxed: as in `advance`.
        self.now.store(nanos, Ordering::Relaxed);
        self.wake();
    }

    /// How many sleep on this clock.
    #[must_use]
    pub fn sleeping(&self) -> usize {
        self.sleepers().wakers.len()
    }

    /// Wakes those whose time has come, the earliest first.
    fn wake(&self) {
        let now = self.now();
        let due = {
            let mut sleepers = self.sleepers();
            let later = match now.checked_add(1) {
                Some(next) => sleepers.wakers.split_off(&(next, 0)),
                None => BTreeMap::new(),
            };
            std::mem::replace(&mut sleepers.wakers, later)
        };
        // Not under the lock: what a waker does is not ours to know.
        due.into_values().for_each(Waker::wake);
    }

    fn sleepers(&self) -> MutexGuard<'_, Sleepers> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> u64 {
        // Relaxed: as in `advance`.
        self.now.load(Ordering::Relaxed)
    }

    fn sleep_until(&self, nanos: u64) -> Sleep<'_> {
        Sleep::new(Asleep { clock: self, until: nanos, place: None })
    }
}

/// A sleep on this clock.
struct Asleep<'c> {
    clock: &'c ManualClock,
    until: u64,
    /// Where its waker is, if it was put there.
    place: Option<(u64, u64)>,
}

impl Future for Asleep<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let retired = {
            let mut sleepers = self.clock.sleepers();
            let place = self.place.unwrap_or((self.until, sleepers.next));
            sleepers.next += u64::from(self.place.is_none());
            self.place = Some(place);
            sleepers.wakers.insert(place, context.waker().clone())
        };
        // Not under the lock, as in `wake`.
        drop(retired);
        // Looked at after the waker was put there: whoever moves the clock does that first, and then wakes.
        if self.clock.now() < self.until { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Drop for Asleep<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            let waker = self.clock.sleepers().wakers.remove(&place);
            drop(waker);
        }
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ManualClock").field(&Duration::from_nanos(self.now())).finish()
    }
}

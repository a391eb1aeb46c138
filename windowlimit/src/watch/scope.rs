//! The scopes of tests: worlds of their own, in which limiters have doubles.
//!
//! * **P1, doubles.** A limiter that lives as long as the program, and is in the [`Book`], has a double in each world that it
//!   is called in: fresh, with the limits that it was made with and the clock of the world. It is found by the limiter's
//!   address, which nothing else can have.
//! * **P2, where.** The world of a call is that of its thread, which [`enter`](World::enter) sets for as long as a guard lives:
//!   a future sets it around each poll. A call of another world sees another double, or the limiter itself.
//! * **P3, receipts.** An admission knows its world by the count of voided permits, which begins at another number in each:
//!   so a refund finds the double from wherever it is made.

use std::{
    any::Any,
    cell::RefCell,
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use super::{Book, Kept, Subject};
use crate::{
    clock::Clock,
    gate::Gate,
    sync::unmodelled::{AtomicU64, Ordering},
};

/// The clock of a world, whatever it is.
pub(crate) type WorldClock = Arc<dyn Clock + Send + Sync>;

/// Where the limiters are that a test sees.
pub(crate) struct World {
    id: u64,
    clock: WorldClock,
    book: Book,
    doubles: Mutex<BTreeMap<usize, Arc<dyn Any + Send + Sync>>>,
}

/// Permits may lose their meaning this many times in one world.
const VOIDED: u32 = 32;

thread_local! {
    static CURRENT: RefCell<Option<Arc<World>>> = const { RefCell::new(None) };
}

static WORLDS: Mutex<BTreeMap<u64, Weak<World>>> = Mutex::new(BTreeMap::new());

impl World {
    pub(crate) fn new(clock: WorldClock) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Book::global().allow_scopes();
        // Relaxed: the number is all there is.
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let world = Self { id, clock, book: Book::new(), doubles: Mutex::default() };
        let world = Arc::new(world);
        let mut worlds = WORLDS.lock().unwrap_or_else(PoisonError::into_inner);
        worlds.retain(|_, world| world.strong_count() > 0);
        worlds.insert(id, Arc::downgrade(&world));
        world
    }

    /// That of this thread, at this moment.
    pub(crate) fn current() -> Option<Arc<Self>> {
        // A thread that is about to end has none.
        CURRENT.try_with(|current| current.borrow().clone()).ok().flatten()
    }

    /// That of an admission, if it is not over.
    pub(crate) fn of(voided: u64) -> Option<Arc<Self>> {
        match voided >> VOIDED {
            0 => None,
            id => WORLDS.lock().unwrap_or_else(PoisonError::into_inner).get(&id)?.upgrade(),
        }
    }

    /// Whether an admission was made in a world of a test.
    pub(crate) const fn is_of_any(voided: u64) -> bool {
        voided >> VOIDED != 0
    }

    /// The count of voided permits that doubles begin with (P3).
    pub(crate) const fn voided(&self) -> u64 {
        self.id << VOIDED
    }

    pub(crate) fn clock(&self) -> &WorldClock {
        &self.clock
    }

    pub(crate) const fn book(&self) -> &Book {
        &self.book
    }

    /// Makes it the world of this thread until the guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>) -> Entered {
        let before = CURRENT.try_with(|current| current.borrow_mut().replace(self.clone()));
        Entered { before: before.ok().flatten() }
    }

    /// The double of a limiter at this address.
    pub(crate) fn double<T: Subject + 'static>(
        self: &Arc<Self>,
        address: usize,
        make: impl FnOnce() -> T,
    ) -> Arc<T> {
        let mut doubles = self.doubles.lock().unwrap_or_else(PoisonError::into_inner);
        // The map has one type at an address, so that it is made just once.
        let known = doubles.get(&address).and_then(|double| double.clone().downcast::<T>().ok());
        let double = known.unwrap_or_else(|| {
            let double = Arc::new(make());
            double.gate().set(Gate::UNSEEN);
            doubles.insert(address, double.clone());
            double
        });
        drop(doubles);
        if double.gate().has(Gate::UNSEEN) {
            let shared: Arc<dyn Subject> = double.clone();
            self.book.meet(&Kept::Shared(Arc::downgrade(&shared)));
        }
        double
    }
}

/// Restores the world that was there before.
pub(crate) struct Entered {
    before: Option<Arc<World>>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        let before = self.before.take();
        let _ = CURRENT.try_with(|current| {
            // Outside of the borrow: a world may be let go here.
            let _gone = current.replace(before);
        });
    }
}

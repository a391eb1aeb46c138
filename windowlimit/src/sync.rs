//! The only file that names atomics, and the locks that decisions take. Under `cfg(windowlimit_loom)` they are the model checker's, so that the
//! code that runs in production is the code that is explored.

use std::{ops::Deref, sync::Arc};

#[cfg(not(windowlimit_loom))]
use self::real::Current;
#[cfg(not(windowlimit_loom))]
pub(crate) use self::real::{
    AtomicU8, AtomicU64, AtomicUsize, Held, Mutex, OnceBox, OnceCell, Ordering, array, const_fn, give_way,
};

#[cfg(windowlimit_loom)]
use self::model::Current;
#[cfg(windowlimit_loom)]
pub(crate) use self::model::{
    AtomicU8, AtomicU64, AtomicUsize, Held, Mutex, OnceBox, OnceCell, Ordering, array, const_fn, give_way,
};

/// What is no part of the algorithm, and stays as it is under the model checker: a clock that is moved by hand.
pub(crate) mod unmodelled {
    pub(crate) use core::sync::atomic::{AtomicU64, Ordering};
}

/// A value that is in place and seldom, if ever, followed by others: by one thread at a time, which has the turn.
pub(crate) struct Latest<T> {
    first: T,
    later: OnceCell<Current<T>>,
    turn: Mutex<()>,
}

impl<T> Latest<T> {
    const_fn! {
        pub(crate) fn new(first: T) -> Self {
            Self { first, later: OnceCell::new(), turn: Mutex::new(()) }
        }
    }

    pub(crate) const fn first(&self) -> &T {
        &self.first
    }

    pub(crate) const fn first_mut(&mut self) -> &mut T {
        &mut self.first
    }

    /// Waits until nobody else has the turn, and has it then.
    pub(crate) fn turn(&self) -> impl Drop + '_ {
        self.turn.lock()
    }

    /// Whether there has been no other.
    pub(crate) fn is_first(&self) -> bool {
        self.later.get().is_none()
    }

    pub(crate) fn load(&self) -> impl Deref<Target = T> {
        match self.later.get() {
            None => Now::First(&self.first),
            Some(current) => Now::Later(current.load()),
        }
    }

    /// Puts another in its place; only who has the turn may do so.
    pub(crate) fn store(&self, value: T) {
        if let Some(current) = self.later.get() {
            current.store(value);
        } else {
            let is_alone = self.later.set(Current::new(value)).is_ok();
            debug_assert!(is_alone, "one thread at a time");
        }
    }
}

enum Now<'t, T, L> {
    First(&'t T),
    Later(L),
}

impl<T, L: Deref<Target = Arc<T>>> Deref for Now<'_, T, L> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::First(value) => value,
            Self::Later(value) => value,
        }
    }
}

#[cfg(not(windowlimit_loom))]
mod real {
    use std::sync::{Arc, PoisonError, TryLockError};

    use arc_swap::ArcSwap;

    pub(crate) use core::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
    pub(crate) use std::sync::MutexGuard as Held;

    pub(crate) use once_cell::{race::OnceBox, sync::OnceCell};

    /// A function that is `const`, so that a limiter can be a plain `static`.
    macro_rules! const_fn {
        ($(#[$doc:meta])* $vis:vis fn $($rest:tt)*) => {
            $(#[$doc])* $vis const fn $($rest)*
        };
    }
    pub(crate) use const_fn;

    /// An array of values that are made anew for each place.
    macro_rules! array {
        ($value:expr; $n:expr) => {
            [const { $value }; $n]
        };
    }
    pub(crate) use array;

    /// Leaves the line in which a claim was lost to whoever won it, for half a microsecond or more: long enough to be admitted
    /// there ten times, where it is now. Whoever asks for it sooner takes it away, and is mostly too late again when it is
    /// there: two threads that do nothing else then admit half as much, and a call that is late for one claim is late for
    /// many.
    pub(crate) fn give_way() {
        // One is 20 to 60 ns.
        for _ in 0..32 {
            std::hint::spin_loop();
        }
    }

    /// A lock that outlives the panic of one who held it: what it guards here is never left half-changed, but by a
    /// clock of the user's that panics before anything is.
    #[derive(Debug)]
    pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(std::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> Held<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// The same, unless somebody else has it.
        pub(crate) fn try_lock(&self) -> Option<Held<'_, T>> {
            match self.0.try_lock() {
                Ok(held) => Some(held),
                Err(TryLockError::Poisoned(held)) => Some(held.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            }
        }
    }

    /// A value that is read often and replaced seldom. Readers take no lock and write no line that others read.
    pub(crate) struct Current<T>(ArcSwap<T>);

    impl<T> Current<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(ArcSwap::from_pointee(value))
        }

        pub(crate) fn load(&self) -> impl std::ops::Deref<Target = Arc<T>> + use<T> {
            self.0.load()
        }

        pub(crate) fn store(&self, value: T) {
            self.0.store(Arc::new(value));
        }
    }
}

#[cfg(windowlimit_loom)]
mod model {
    use std::sync::Arc;

    pub(crate) use loom::sync::{
        MutexGuard as Held,
        atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering},
    };

    /// The model checker's atomics register themselves when they are made: nothing `const` can hold them.
    macro_rules! const_fn {
        ($($function:tt)*) => {
            $($function)*
        };
    }
    pub(crate) use const_fn;

    macro_rules! array {
        ($value:expr; $n:expr) => {
            core::array::from_fn(|_| $value)
        };
    }
    pub(crate) use array;

    /// The model lets others come between everywhere.
    pub(crate) fn give_way() {}

    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> Held<'_, T> {
            self.0.lock().expect("a model ends with its first panic")
        }

        pub(crate) fn try_lock(&self) -> Option<Held<'_, T>> {
            self.0.try_lock().ok()
        }
    }

    /// What `once_cell::sync::OnceCell` promises, in operations that the model checker sees: `get` acquires what `set`
    /// released. Here only one thread at a time sets it.
    pub(crate) struct OnceCell<T> {
        ready: loom::sync::atomic::AtomicBool,
        value: once_cell::sync::OnceCell<T>,
    }

    impl<T> OnceCell<T> {
        pub(crate) fn new() -> Self {
            Self {
                ready: loom::sync::atomic::AtomicBool::new(false),
                value: once_cell::sync::OnceCell::new(),
            }
        }

        pub(crate) fn get(&self) -> Option<&T> {
            if self.ready.load(Ordering::Acquire) { self.value.get() } else { None }
        }

        pub(crate) fn set(&self, value: T) -> Result<(), T> {
            self.value.set(value)?;
            self.ready.store(true, Ordering::Release);
            Ok(())
        }
    }

    /// What `once_cell::race::OnceBox` promises: of several that make a value at once one is taken, and whoever gets it has
    /// seen it made.
    pub(crate) struct OnceBox<T>(OnceCell<Box<T>>, loom::sync::Mutex<()>);

    impl<T> OnceBox<T> {
        pub(crate) fn new() -> Self {
            Self(OnceCell::new(), loom::sync::Mutex::new(()))
        }

        pub(crate) fn get(&self) -> Option<&T> {
            self.0.get().map(|value| &**value)
        }

        pub(crate) fn set(&self, value: Box<T>) -> Result<(), Box<T>> {
            let _turn = self.1.lock().expect("a model ends with its first panic");
            self.0.set(value)
        }

        pub(crate) fn get_or_init(&self, make: impl FnOnce() -> Box<T>) -> &T {
            if self.get().is_none() {
                drop(self.set(make()));
            }
            self.get().expect("somebody has set it")
        }
    }

    /// What `arc_swap::ArcSwap` promises: whoever loads a value has seen what came before it was stored.
    pub(crate) struct Current<T>(loom::sync::Mutex<Arc<T>>);

    impl<T> Current<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(Arc::new(value)))
        }

        pub(crate) fn load(&self) -> impl std::ops::Deref<Target = Arc<T>> + use<T> {
            struct Loaded<T>(Arc<T>);
            impl<T> std::ops::Deref for Loaded<T> {
                type Target = Arc<T>;
                fn deref(&self) -> &Arc<T> {
                    &self.0
                }
            }
            Loaded(self.0.lock().expect("a model ends with its first panic").clone())
        }

        pub(crate) fn store(&self, value: T) {
            *self.0.lock().expect("a model ends with its first panic") = Arc::new(value);
        }
    }
}

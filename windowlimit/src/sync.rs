//! The only file that names atomics. Under `cfg(windowlimit_loom)` they are the model checker's, so that the
//! code that runs in production is the code that is explored.

#[cfg(not(windowlimit_loom))]
pub(crate) use self::real::{AtomicU8, AtomicU64, AtomicUsize, OnceCell, Ordering, array, const_fn};

#[cfg(windowlimit_loom)]
pub(crate) use self::model::{AtomicU8, AtomicU64, AtomicUsize, OnceCell, Ordering, array, const_fn};

/// What is no part of the algorithm, and stays as it is under the model checker: a clock that is moved by hand.
pub(crate) mod unmodelled {
    pub(crate) use core::sync::atomic::{AtomicU64, Ordering};
}

#[cfg(not(windowlimit_loom))]
mod real {
    pub(crate) use core::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
    pub(crate) use once_cell::sync::OnceCell;

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
}

#[cfg(windowlimit_loom)]
mod model {
    pub(crate) use loom::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

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

    /// What `once_cell::sync::OnceCell` promises, in operations that the model checker sees: `get` acquires
    /// what the initialiser released, and a second initialiser waits for the first.
    #[derive(Debug)]
    pub(crate) struct OnceCell<T> {
        ready: loom::sync::atomic::AtomicBool,
        filling: loom::sync::Mutex<()>,
        value: once_cell::sync::OnceCell<T>,
    }

    impl<T> OnceCell<T> {
        pub(crate) fn new() -> Self {
            Self {
                ready: loom::sync::atomic::AtomicBool::new(false),
                filling: loom::sync::Mutex::new(()),
                value: once_cell::sync::OnceCell::new(),
            }
        }

        pub(crate) fn get(&self) -> Option<&T> {
            if self.ready.load(Ordering::Acquire) { self.value.get() } else { None }
        }

        pub(crate) fn get_or_try_init<E>(&self, fill: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
            if let Some(value) = self.get() {
                return Ok(value);
            }
            let _filling = self.filling.lock();
            if self.value.get().is_none() {
                let value = fill()?;
                assert!(self.value.set(value).is_ok(), "the lock admits one initialiser at a time");
                self.ready.store(true, Ordering::Release);
            }
            Ok(self.value.get().expect("it was filled under this lock"))
        }
    }
}

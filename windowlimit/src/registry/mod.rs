//! Limiters as an operator sees them: listed, counted, and changed by name while the program runs.
//!
//! Each limiter of an attribute is in the registry from its first call on. One that was made by hand is there if it was
//! [registered](Registry::register).
//!
//! ```
//! use windowlimit::{Limit, RateLimitExceeded, registry, registry::Mode, window_rate_limit};
//!
//! #[window_rate_limit(limit = 1, window = "1m", name = "hello")]
//! fn hello() -> Result<&'static str, RateLimitExceeded> {
//!     Ok("Hello World")
//! }
//!
//! let registry = registry();
//! assert!(hello().is_ok() && hello().is_err());
//!
//! let [hello_limiter] = &registry.named("hello")[..] else { panic!("it has been called") };
//! assert_eq!(hello_limiter.limits(), [Limit::per_minute(1)]);
//! assert_eq!(hello_limiter.counts().admitted(), 1);
//! assert_eq!(hello_limiter.counts().refused(), 1);
//!
//! // It lets everybody through, and counts whom it would have refused.
//! registry.set_mode("hello", Mode::Shadow)?;
//! assert!(hello().is_ok());
//! // Twice as much, for real; what was admitted before counts.
//! registry.set_mode("hello", Mode::Enforce)?;
//! registry.set_limits("hello", [Limit::per_minute(2)])?;
//! assert!(hello().is_ok() && hello().is_err());
//! # Ok::<(), registry::ChangeError>(())
//! ```
//!
//! # What it costs
//!
//! A limiter that nobody has changed is decided as if there were no registry: all that a call would have to look at is one
//! word that it reads anyway. Each call is counted, from the first on, by a counter that its own thread alone writes, so that
//! no thread waits for another: about a nanosecond. (That is so for 29 threads at a time. More of them share their counters,
//! which costs some nanoseconds, or tens of them while they count at once.)
//!
//! # Limiters on a store
//!
//! A limiter whose windows are shared, behind the feature `redis`, is listed, counted and changed like any other, as far as
//! that is this process's own: its limits, its mode, its calls, and how often they were
//! [decided without the store](Listed::degraded). How full a window is, only the store knows, so that there is no
//! [`usage`](Listed::usage) here; and it is reset key by key. Nothing that is asked here waits for the store.
//!
//! # In tests
//!
//! Inside a [scope](crate::testing) of a test, which needs the feature `test-util`, the registry is that of the scope.

mod change;
mod listed;

use std::fmt;

#[cfg(feature = "config")]
pub(crate) use self::change::closest;
pub use self::{
    change::ChangeError,
    listed::{HeavyKey, KeyTag, Listed},
};
#[cfg(feature = "test-util")]
use crate::watch::Book;
pub use crate::watch::{Counts, Mode, ParseModeError};
use crate::{
    limit::Limit,
    watch::{BookRef, Held, Wanted},
};

/// Every limiter that has been used so far, and what is asked for their names.
///
/// # Concurrency
///
/// Any thread may ask and change at any time. Changes of one name take effect one after another; the last one stands. No
/// decision waits for one that only asks.
#[derive(Clone)]
pub struct Registry {
    book: BookRef,
}

/// The registry of this process or, inside a [scope](crate::testing) of a test, that of the scope.
#[must_use]
pub fn registry() -> Registry {
    Registry { book: BookRef::current() }
}

impl Registry {
    /// Every limiter that has been used so far, in the order of their names and places.
    #[must_use]
    pub fn limiters(&self) -> Vec<Listed> {
        self.listed(self.book.all())
    }

    /// Those of a name: mostly one. Several functions may have been given the same.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<Listed> {
        self.listed(self.book.named(name))
    }

    fn listed(&self, held: Vec<Held>) -> Vec<Listed> {
        let mut listed: Vec<Listed> =
            held.into_iter().map(|held| Listed { problem: self.problem(&held), held }).collect();
        listed.sort_by(|a, b| {
            (a.name(), a.file(), a.line(), a.column()).cmp(&(b.name(), b.file(), b.line(), b.column()))
        });
        listed
    }

    fn problem(&self, held: &Held) -> Option<String> {
        self.book.why_unfit(held).map(|why| why.to_string())
    }

    /// Enters a limiter that was made by hand, and does at once what is asked for its name: `register(&LOGINS)` for a
    /// `static`, `register(&*LOGINS)` for one in a `LazyLock`, `register(&limiter)` for an `Arc`, which stays in the registry
    /// until it is dropped.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use windowlimit::{KeyedLimiter, Limit, Limiter, registry};
    ///
    /// static LOGINS: KeyedLimiter = KeyedLimiter::new("logins", Limit::per_minute(5));
    /// registry().register(&LOGINS);
    ///
    /// let exports = Arc::new(Limiter::builder().name("exports").limit("10/h".parse()?).build()?);
    /// registry().register(&exports);
    /// assert_eq!(registry().named("exports").len(), 1);
    /// drop(exports);
    /// assert_eq!(registry().named("exports").len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn register(&self, limiter: impl Into<Listed>) {
        let Listed { held, .. } = limiter.into();
        match held {
            // Of the scope of a test is its double: what is changed there is not changed elsewhere.
            #[cfg(feature = "test-util")]
            Held::Static(limiter) => {
                Book::global().meet(&held.keep());
                limiter.appear();
            }
            _ => self.book.meet(&held.keep()),
        }
    }

    /// Gives all limiters of a name other limits from their next decisions on, with the history kept: as
    /// [`Limiter::set_limits`](crate::Limiter::set_limits). Those that come later under this name get them as well. How many
    /// there are.
    ///
    /// # Errors
    ///
    /// No limiter of this name has been used yet; or one of them cannot have such limits, and then all stay as they were.
    pub fn set_limits(
        &self,
        name: &str,
        limits: impl IntoIterator<Item = Limit>,
    ) -> Result<usize, ChangeError> {
        let limits: Vec<Limit> = limits.into_iter().collect();
        for held in self.known(name)? {
            held.get().accepts(&limits).map_err(|why| ChangeError::unfit(name, &held, &why))?;
        }
        let count = self.book.change(name, |setting| setting.limits = Wanted::These(limits.clone()));
        told(name, &format_args!("limits {}", Limits(&limits)));
        Ok(count)
    }

    /// Gives all limiters of a name the limits back that they were made with. How many there are.
    ///
    /// # Errors
    ///
    /// No limiter of this name has been used yet.
    pub fn restore_limits(&self, name: &str) -> Result<usize, ChangeError> {
        self.known(name)?;
        let count = self.book.change(name, |setting| setting.limits = Wanted::AsDeclared);
        told(name, &"limits as in the source");
        Ok(count)
    }

    /// Says what becomes of the calls of all limiters of a name, also of those that come later. How many there are.
    ///
    /// # Errors
    ///
    /// No limiter of this name has been used yet.
    pub fn set_mode(&self, name: &str, mode: Mode) -> Result<usize, ChangeError> {
        self.known(name)?;
        let count = self.book.change(name, |setting| setting.mode = Some(mode));
        told(name, &format_args!("mode {mode}"));
        Ok(count)
    }

    /// Forgets every admission of all limiters of a name, of all their keys. How many there are.
    ///
    /// # Errors
    ///
    /// No limiter of this name has been used yet; or the windows of one are on a store, which nobody can ask for all keys of
    /// a name at once, and then nothing is forgotten.
    pub fn reset(&self, name: &str) -> Result<usize, ChangeError> {
        let known = self.known(name)?;
        for held in &known {
            held.get().resets().map_err(|why| ChangeError::no_reset(name, held, &why))?;
        }
        for held in &known {
            held.get().reset();
        }
        told(name, &"reset");
        Ok(known.len())
    }

    /// The names that several limiters have which differ in their limits or their kind of window, each with those limiters.
    /// Such a name was mostly given twice by mistake.
    #[must_use]
    pub fn clashes(&self) -> Vec<(&'static str, Vec<Listed>)> {
        let mut names: Vec<_> = self.book.all().iter().map(|held| held.get().name()).collect();
        names.sort_unstable();
        names.dedup();
        let clashes = names.into_iter().filter_map(|name| Some((name, self.book.clashes_of(name)?)));
        clashes.map(|(name, limiters)| (name, self.listed(limiters))).collect()
    }

    fn known(&self, name: &str) -> Result<Vec<Held>, ChangeError> {
        let limiters = self.book.named(name);
        if limiters.is_empty() {
            let all = self.book.all();
            return Err(ChangeError::unknown(name, all.iter().map(|held| held.get().name())));
        }
        Ok(limiters)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.limiters()).finish()
    }
}

/// Tells the recorder of the `metrics` crate what the counters mean: once, after it was installed.
///
/// There are `windowlimit_admitted_total`, `windowlimit_waited_total` (of those, the calls that had waited in line),
/// `windowlimit_refused_total` and, of limiters in the mode [`Shadow`](Mode::Shadow), `windowlimit_let_through_total`. All
/// have the label `limiter`, its name, and the last two `reason`: one of `window_full`, `never_fits`, `misconfigured`,
/// `too_many_keys`, `others_wait`, `line_full`, `turn_too_late`, `store_unavailable` and `other`. Of limiters on a store there
/// is `windowlimit_degraded_total` too, with `by`: what stood in for the store, `local`, `allow` or `deny`. Keys are no
/// labels. Counting needs no call.
#[cfg(feature = "metrics")]
pub fn describe_metrics() {
    crate::watch::telemetry::describe();
}

/// Limits, one after another.
pub(crate) struct Limits<'l>(pub(crate) &'l [Limit]);

impl fmt::Display for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, limit) in self.0.iter().enumerate() {
            write!(f, "{}{limit}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// Says that something was changed from outside.
pub(crate) fn told(name: &str, what: &dyn fmt::Display) {
    #[cfg(feature = "tracing")]
    crate::watch::telemetry::changed(name, what);
    #[cfg(not(feature = "tracing"))]
    let _ = (name, what);
}

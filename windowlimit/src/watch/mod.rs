//! What is known of a limiter beside its window: where it was made, how it is found by name, what it was told from outside,
//! and what was counted meanwhile. It knows no limiter, only that one is a [`Subject`].
//!
//! None of it is looked at by a call that goes the plain way. Each reason to look is a bit of the limiter's
//! [`Gate`]:
//!
//! * **W1, unseen.** The limiter of an attribute is made with the bit [`UNSEEN`](Gate::UNSEEN). Its first call goes the long
//!   way, enters it in the [`Book`], does what was asked for its name in advance, and clears the bit last: so the first
//!   decision already obeys. Whoever comes at the same time does the same again, which changes nothing.
//! * **W2, told.** A mode is a bit, set and cleared by whoever changes it; the call that finds it does
//!   what it says around the decision, which stays what it is.
//! * **W3, by name.** What is asked for a name is kept in the book and then done, without a lock, since a clock is the user's
//!   code. Whoever does it looks again afterwards whether it still is what is asked for, and does it again if not: so the
//!   last wish stands in the end, whatever met.
//!
//! Every call is counted, by its thread's own counters ([`striped`](crate::striped)): of a call that goes the plain way that
//! is all there is to do.

mod book;
#[cfg(feature = "config")]
mod configure;
mod home;
mod mode;
#[cfg(feature = "test-util")]
pub(crate) mod scope;
mod subject;
mod tally;
#[cfg(any(feature = "metrics", feature = "tracing"))]
pub(crate) mod telemetry;

use std::panic::{AssertUnwindSafe, Location};

use self::home::Found;
#[cfg(feature = "config")]
pub(crate) use self::{book::Setting, configure::Configured};
pub(crate) use self::{
    book::{Book, BookRef, Wanted},
    subject::{Heavy, Held, Kept, Subject, Unfit},
    tally::{Outcome, Tally},
};
pub use self::{
    home::{Home, Inhabited},
    mode::{Mode, ParseModeError},
    tally::Counts,
};
use crate::gate::Gate;

/// What a limiter carries for those who watch it.
pub(crate) struct Watch {
    place: &'static Location<'static>,
    /// Where it lives, if it is the limiter of an attribute. (It unwinds like its locks, which outlive a panic.)
    home: Option<AssertUnwindSafe<&'static dyn Inhabited>>,
}

impl Watch {
    #[track_caller]
    pub(crate) const fn new() -> Self {
        Self { place: Location::caller(), home: None }
    }

    /// Makes it that of a limiter that can be found for as long as the program runs.
    pub(crate) fn set_home(&mut self, home: &'static dyn Inhabited) {
        self.home = Some(AssertUnwindSafe(home));
    }

    /// Whether it is that of an attribute.
    pub(crate) const fn has_home(&self) -> bool {
        self.home.is_some()
    }

    /// The same place, for a limiter that stands in for this one.
    #[cfg(feature = "test-util")]
    pub(crate) const fn of_double(&self) -> Self {
        Self { place: self.place, home: None }
    }

    /// Where the limiter was made: in the user's source.
    pub(crate) const fn place(&self) -> &'static Location<'static> {
        self.place
    }

    /// Enters a limiter in the book, if this is its first call (W1).
    pub(crate) fn meet(&self, gate: &Gate) {
        if gate.has(Gate::UNSEEN) {
            match self.home.as_ref().and_then(|home| home.inhabitant()) {
                Some(Found(limiter)) => Book::global().meet(&Kept::Static(limiter)),
                None => gate.clear(Gate::UNSEEN),
            }
        }
    }
}

//! The limiters that have been called, and what is asked for their names.

use std::{
    collections::BTreeMap,
    ops::Deref,
    sync::{Mutex, MutexGuard, PoisonError},
};

#[cfg(feature = "config")]
use super::configure::Variables;
use super::{Held, Kept, Mode, Unfit};
use crate::{gate::Gate, limit::Limit};

/// A book of limiters: that of the process, or that of the scope of a test.
pub(crate) struct Book(Mutex<State>);

pub(super) struct State {
    limiters: BTreeMap<usize, Kept>,
    /// Those that are gone are looked for when there are so many.
    look_at: usize,
    pub(super) settings: BTreeMap<String, Setting>,
    #[cfg(feature = "config")]
    pub(super) variables: Variables,
    /// Why a limiter that came later cannot have what is asked for its name; by address.
    unfit: BTreeMap<usize, Unfit>,
    /// Whether limiters have doubles in the scopes of tests.
    is_scoped: bool,
    /// How often anything was changed that a limiter has to follow (W3).
    pub(super) changes: u64,
}

/// What is asked for a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Setting {
    pub(crate) limits: Wanted,
    pub(crate) mode: Option<Mode>,
    /// Whether it stands in the configuration, which is then the whole of it.
    pub(crate) is_configured: bool,
}

/// Which limits are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Wanted {
    #[default]
    AsTheyAre,
    AsDeclared,
    These(Vec<Limit>),
}

impl Wanted {
    fn of<'w>(&'w self, declared: &'w [Limit]) -> Option<&'w [Limit]> {
        match self {
            Self::AsTheyAre => None,
            Self::AsDeclared => Some(declared),
            Self::These(limits) => Some(limits),
        }
    }
}

#[cfg(feature = "config")]
impl State {
    /// The names of all limiters that there are.
    pub(super) fn names(&self) -> std::collections::BTreeSet<&'static str> {
        self.limiters.values().filter_map(Kept::hold).map(|held| held.get().name()).collect()
    }
}

impl Book {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(State {
            limiters: BTreeMap::new(),
            look_at: 64,
            settings: BTreeMap::new(),
            #[cfg(feature = "config")]
            variables: Variables::NONE,
            unfit: BTreeMap::new(),
            is_scoped: false,
            changes: 0,
        }))
    }

    /// That of the process.
    pub(crate) fn global() -> &'static Self {
        static BOOK: Book = Book::new();
        &BOOK
    }

    /// Nothing of it is left half-changed by a panic.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a limiter, and lets it do what is asked for its name before it counts as seen (W1).
    pub(crate) fn meet(&self, kept: &Kept) {
        let Some(held) = kept.hold() else { return };
        let address = kept.address();
        let mut state = self.state();
        if state.limiters.len() >= state.look_at {
            let State { limiters, unfit, look_at, .. } = &mut *state;
            limiters.retain(|_, kept| kept.hold().is_some());
            unfit.retain(|address, _| limiters.contains_key(address));
            *look_at = 64.max(limiters.len() * 2);
        }
        state.unfit.remove(&address);
        state.limiters.insert(address, kept.clone());
        #[cfg(feature = "config")]
        state.see(held.get().name());
        let is_plain = state.settings.is_empty() && !state.is_scoped;
        drop(state);
        // Mostly nothing is asked for any name, and whoever asks from now on finds this one here (W3).
        if !is_plain {
            self.settle(&held);
        }
        held.get().gate().clear(Gate::UNSEEN);
        #[cfg(feature = "tracing")]
        if let Some(clash) = self.clashes_of(held.get().name()) {
            super::telemetry::clash(held.get().name(), &clash);
        }
    }

    /// Lets a limiter be as is asked for its name (W3).
    pub(crate) fn settle(&self, held: &Held) {
        let (subject, address) = (held.get(), held.keep().address());
        loop {
            let state = self.state();
            let setting = state.settings.get(subject.name()).cloned().unwrap_or_default();
            let changes = state.changes;
            let scoped = state.is_scoped && matches!(held, Held::Static(_));
            drop(state);

            let declared = subject.declared();
            let done = match setting.limits.of(&declared) {
                Some(limits) if limits != subject.limits() => subject.set_limits(limits),
                _ => Ok(()),
            };
            if let Some(mode) = setting.mode.filter(|mode| *mode != Mode::of(subject.gate())) {
                mode.put(subject.gate());
                subject.disturb();
            }
            if scoped {
                subject.gate().set(Gate::SCOPED);
            }

            let mut state = self.state();
            if state.changes == changes {
                match &done {
                    Ok(()) => state.unfit.remove(&address),
                    Err(why) => state.unfit.insert(address, why.clone()),
                };
                drop(state);
                #[cfg(feature = "tracing")]
                if let Err(why) = done {
                    super::telemetry::unfit(held, &why);
                }
                return;
            }
        }
    }

    /// All limiters, in no order.
    pub(crate) fn all(&self) -> Vec<Held> {
        self.state().limiters.values().filter_map(Kept::hold).collect()
    }

    /// Those of a name.
    pub(crate) fn named(&self, name: &str) -> Vec<Held> {
        let mut all = self.all();
        all.retain(|held| held.get().name() == name);
        all
    }

    /// Changes what is asked for a name, and lets the limiters follow that have it: how many there are.
    pub(crate) fn change(&self, name: &str, edit: impl FnOnce(&mut Setting)) -> usize {
        let mut state = self.state();
        edit(state.settings.entry(name.to_owned()).or_default());
        state.changes += 1;
        drop(state);
        let limiters = self.named(name);
        for held in &limiters {
            self.settle(held);
        }
        limiters.len()
    }

    /// From now on limiters have doubles.
    #[cfg(feature = "test-util")]
    pub(crate) fn allow_scopes(&self) {
        let mut state = self.state();
        if !state.is_scoped {
            state.is_scoped = true;
            state.changes += 1;
            drop(state);
            for held in self.all() {
                self.settle(&held);
            }
        }
    }

    /// Why a limiter does not have the limits that are asked for its name.
    pub(crate) fn why_unfit(&self, held: &Held) -> Option<Unfit> {
        self.state().unfit.get(&held.keep().address()).cloned()
    }

    /// Those of a name, if not all of them have the same limits and the same kind of window.
    pub(crate) fn clashes_of(&self, name: &str) -> Option<Vec<Held>> {
        let limiters = self.named(name);
        let of = |held: &Held| (held.get().algorithm(), held.get().limits());
        let differ = limiters.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]));
        differ.then_some(limiters)
    }
}

/// A book that is in force here.
#[derive(Clone)]
pub(crate) enum BookRef {
    Global,
    #[cfg(feature = "test-util")]
    Scoped(std::sync::Arc<super::scope::World>),
}

impl BookRef {
    /// That of the scope of the test that this runs in, or that of the process.
    pub(crate) fn current() -> Self {
        #[cfg(feature = "test-util")]
        if let Some(world) = super::scope::World::current() {
            return Self::Scoped(world);
        }
        Self::Global
    }
}

impl Deref for BookRef {
    type Target = Book;

    fn deref(&self) -> &Book {
        match self {
            Self::Global => Book::global(),
            #[cfg(feature = "test-util")]
            Self::Scoped(world) => world.book(),
        }
    }
}

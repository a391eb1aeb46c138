//! A configuration: what is asked for many names at once.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Held, Mode, Unfit,
    book::{Book, Setting, State, Wanted},
};

/// What the environment asks for, where a name is only known by its variable: it is asked for a name when that is first seen,
/// and can be changed from then on.
#[derive(Default)]
pub(super) struct Variables {
    settings: BTreeMap<String, Setting>,
    /// The variable of a name.
    of: Option<fn(&str) -> String>,
    seen: BTreeSet<&'static str>,
}

impl Variables {
    pub(super) const NONE: Self = Self { settings: BTreeMap::new(), of: None, seen: BTreeSet::new() };

    /// What is asked for a name.
    fn get(&self, name: &str) -> Option<&Setting> {
        self.settings.get(&self.of?(name))
    }
}

/// What has come of a configuration: the names for which it is in force, those that no limiter has had yet, and all that one
/// has had.
pub(crate) struct Configured {
    pub(crate) changed: Vec<String>,
    pub(crate) unknown: Vec<String>,
    pub(crate) known: Vec<String>,
}

impl Setting {
    /// This, and on top what the environment asks for.
    fn under(&mut self, variable: &Setting) {
        if let Wanted::These(_) = variable.limits {
            self.limits = variable.limits.clone();
        }
        self.mode = variable.mode.or(self.mode);
        self.is_configured = true;
    }
}

impl State {
    /// A limiter of this name has come.
    pub(super) fn see(&mut self, name: &'static str) {
        if self.variables.seen.insert(name) {
            if let Some(variable) = self.variables.get(name).cloned() {
                self.settings.entry(name.to_owned()).or_default().under(&variable);
            }
        }
    }
}

impl Book {
    /// Every limiter that cannot have the limits that a configuration asks for its name, with the reason.
    pub(crate) fn misfits(
        &self,
        names: &BTreeMap<String, Setting>,
        variables: &BTreeMap<String, Setting>,
        variable_of: fn(&str) -> String,
    ) -> Vec<(String, Held, Unfit)> {
        let mut misfits = Vec::new();
        for held in self.all() {
            let name = held.get().name();
            let limits = [variables.get(&variable_of(name)), names.get(name)].into_iter().flatten();
            let mut limits = limits.filter_map(|setting| match &setting.limits {
                Wanted::These(limits) => Some(limits),
                _ => None,
            });
            if let Some(Err(why)) = limits.next().map(|limits| held.get().accepts(limits)) {
                misfits.push((name.to_owned(), held.clone(), why));
            }
        }
        misfits
    }

    /// Puts a configuration, and what the variables of names say on top, in the place of the one before: all of it, or none
    /// if a limiter cannot have what is asked for it. What the one before named, and this one does not, is as in the source
    /// again.
    pub(crate) fn configure(
        &self,
        names: &BTreeMap<String, Setting>,
        variables: &BTreeMap<String, Setting>,
        variable_of: fn(&str) -> String,
    ) -> Result<Configured, Vec<(String, Held, Unfit)>> {
        let misfits = self.misfits(names, variables, variable_of);
        if !misfits.is_empty() {
            return Err(misfits);
        }
        let variables =
            Variables { settings: variables.clone(), of: Some(variable_of), seen: BTreeSet::new() };
        let wanted = |name: &str| {
            let mut setting = names.get(name).cloned();
            if let Some(variable) = variables.get(name) {
                setting.get_or_insert_default().under(variable);
            }
            // What is left out is as in the source.
            setting.map(|setting| Setting { mode: setting.mode.or(Some(Mode::Enforce)), ..setting })
        };

        let mut state = self.state();
        // Those that have come meanwhile are among them.
        let known: BTreeSet<&'static str> = state.names();
        for (name, setting) in &mut state.settings {
            if setting.is_configured && wanted(name).is_none() {
                let mode = Some(Mode::Enforce);
                *setting = Setting { limits: Wanted::AsDeclared, mode, is_configured: false };
            }
        }
        for name in names.keys().map(String::as_str).chain(known.iter().copied()) {
            if let Some(setting) = wanted(name) {
                state.settings.insert(name.to_owned(), setting);
            }
        }
        let changed = known.iter().filter(|name| wanted(name).is_some()).map(|&name| name.to_owned());
        let changed: Vec<String> = changed.collect();
        let of_known: BTreeSet<String> = known.iter().map(|name| variable_of(name)).collect();
        let unknown = names.keys().filter(|name| !known.contains(name.as_str()));
        let unknown = unknown.chain(variables.settings.keys().filter(|name| !of_known.contains(*name)));
        let unknown = unknown.cloned().collect();
        state.variables = Variables { seen: known.clone(), ..variables };
        state.changes += 1;
        drop(state);

        for held in self.all() {
            self.settle(&held);
        }
        let known = known.into_iter().map(str::to_owned).collect();
        Ok(Configured { changed, unknown, known })
    }
}

//! Limits from a file and from the environment, by name.
//!
//! A file says for each name what is different from the source; what it leaves out is as in the source:
//!
//! ```toml
//! login = "5/m"                      # one limit
//! search = ["10/s", "100/m"]         # several
//! "api::export" = "shadow"           # the limits of the source, but nobody is refused
//! upload = { limits = "2/h", mode = "off" }
//! ```
//!
//! In JSON the same is `{"login": "5/m", "search": ["10/s", "100/m"]}`. A limit is `N/WINDOW`, as [`Limit`] reads
//! it, a mode is `enforce`, `shadow` or `off`, as [`Mode`] reads it. The environment says the same of one name in
//! `WINDOWLIMIT_` and the name in capitals, with `_` for all that is neither a letter nor a digit: `WINDOWLIMIT_LOGIN=5/m`,
//! `WINDOWLIMIT_API__EXPORT="off, 10/s"`. It wins over the file.
//!
//! [`reload`] reads both and puts them in force: all of what they say or, where something is wrong, none of it, and then it
//! tells everything that is wrong. Call it when the program starts, and again whenever the file may have changed:
//!
//! ```
//! use windowlimit::{RateLimitExceeded, config, registry, window_rate_limit};
//!
//! #[window_rate_limit(limit = 1, window = "1m", name = "search")]
//! fn search() -> Result<(), RateLimitExceeded> {
//!     Ok(())
//! }
//!
//! # let folder = std::env::temp_dir().join(format!("windowlimit-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let file = folder.join("limits.toml");
//! std::fs::write(&file, r#"search = ["3/m", "100/h"]"#)?;
//! config::reload(&file)?;
//! assert!(search().is_ok() && search().is_ok());
//!
//! std::fs::write(&file, "search = [\n  '3/m',\n  '100/fortnight',\n]")?;
//! let error = config::reload(&file).unwrap_err();
//! assert!(error.to_string().contains("limits.toml:3:3: wanted a limit such as `100/m`"), "{error}");
//! // As before.
//! assert_eq!(registry().named("search")[0].limits().len(), 2);
//!
//! std::fs::write(&file, "# nothing is different from the source")?;
//! config::reload(&file)?;
//! assert!(search().is_err());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Names that no limiter has had yet wait for it: they are in the [`Report`], since one of them may be mistyped.
//! [`Settings`] implements `serde::Deserialize`, to be a part of a configuration of your own.

mod entry;
mod environment;
mod error;
mod file;
mod node;

use std::{collections::BTreeMap, env, fmt, path::Path};

use serde::{Deserialize, Deserializer, de::Error};

pub use self::error::{ConfigError, Fault};
use self::{
    entry::{Entry, read_all},
    error::Faults,
    node::Node,
};
use crate::{
    registry::{closest, told},
    watch::{BookRef, Configured, Held, Setting, Unfit},
};

#[cfg(doc)]
use crate::{Limit, registry::Mode};

/// Reads a file, which is TOML or, if it is named `*.json`, JSON, and the environment, and puts them in force together: as
/// [`Settings::apply`].
///
/// # Errors
///
/// Everything that is wrong: the file cannot be read, something in it or in the environment says nothing, a limiter cannot
/// have the limits that are asked for it. Nothing has been changed then.
pub fn reload(file: impl AsRef<Path>) -> Result<Report, ConfigError> {
    let (names, of_file) = file::read(file.as_ref());
    let (variables, of_variables) = read_variables(of_environment());
    let settings = Settings { names: names.into_iter().collect(), variables };
    let misfits = settings.misfits(&BookRef::current());
    match ConfigError::all(of_file.into_iter().chain(of_variables).chain(misfits)) {
        Some(error) => Err(error),
        None => settings.apply(),
    }
}

/// The variables of the environment.
fn of_environment() -> impl Iterator<Item = (String, String)> {
    env::vars_os().filter_map(|(name, value)| {
        // A name that is no text is none of ours; a value that is none will be found to be no limit.
        Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
    })
}

/// What the variables say that are ours, and all that is wrong with them.
fn read_variables<N: AsRef<str>, V: AsRef<str>>(
    variables: impl IntoIterator<Item = (N, V)>,
) -> (BTreeMap<String, Entry>, Option<ConfigError>) {
    let place = |_, name: &str| Some(format!("the variable {name}"));
    let mut faults = Faults::new(&place);
    let mut entries = BTreeMap::new();
    for (name, value) in variables {
        let name = name.as_ref();
        if name.starts_with(environment::PREFIX) {
            let entry = Entry::of_variable(name, value.as_ref(), &mut faults);
            entries.insert(name.to_owned(), entry);
        }
    }
    (entries, faults.into_error())
}

/// What is asked for names: the whole of it, of which each [`apply`](Self::apply) replaces the one before.
///
/// ```
/// use windowlimit::config::Settings;
///
/// #[derive(serde::Deserialize)]
/// struct Service {
///     port: u16,
///     limits: Settings,
/// }
///
/// let service: Service = toml::from_str("port = 80\n[limits]\nlogin = '5/m'")?;
/// let report = service.limits.apply()?;
/// assert_eq!((service.port, report.unknown()), (80, &["login".to_owned()][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    names: BTreeMap<String, Entry>,
    variables: BTreeMap<String, Entry>,
}

impl Settings {
    /// Reads TOML.
    ///
    /// # Errors
    ///
    /// It is no TOML, or there is something else in it than names with limits and modes.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        Self::of_names(file::toml("toml", text))
    }

    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// It is no JSON, or there is something else in it than names with limits and modes.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        Self::of_names(file::json("json", text))
    }

    /// Reads a file, which is TOML or, if it is named `*.json`, JSON.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or something in it is wrong.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        Self::of_names(file::read(path.as_ref()))
    }

    fn of_names((names, error): file::Read) -> Result<Self, ConfigError> {
        match error {
            Some(error) => Err(error),
            None => Ok(Self { names: names.into_iter().collect(), variables: BTreeMap::new() }),
        }
    }

    /// Reads the environment on top: the variables that begin with `WINDOWLIMIT_`.
    ///
    /// # Errors
    ///
    /// One of them holds no limits and no mode.
    pub fn with_environment(self) -> Result<Self, ConfigError> {
        self.with_variables(of_environment())
    }

    /// Reads these variables on top, of which only those matter that begin with `WINDOWLIMIT_`.
    ///
    /// # Errors
    ///
    /// One of them holds no limits and no mode.
    pub fn with_variables<N: AsRef<str>, V: AsRef<str>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, ConfigError> {
        let (entries, error) = read_variables(variables);
        self.variables.extend(entries);
        error.map_or(Ok(self), Err)
    }

    /// Puts all of this in force, in the place of what was applied before: limiters that were named then, and are not now,
    /// are as in the source again. Names that no limiter has had yet wait for it.
    ///
    /// # Errors
    ///
    /// A limiter cannot have the limits that are asked for it. Nothing has been changed then.
    ///
    /// # Concurrency
    ///
    /// Each limiter changes at once, one after another.
    pub fn apply(&self) -> Result<Report, ConfigError> {
        let book = BookRef::current();
        let configured =
            book.configure(&settings(&self.names), &settings(&self.variables), environment::variable);
        let Configured { changed, unknown, known } = match configured {
            Ok(configured) => configured,
            Err(misfits) => return Err(self.unfit(misfits)),
        };
        for name in &changed {
            told(name, &"configured");
        }
        let variables: Vec<String> = known.iter().map(|name| environment::variable(name)).collect();
        let similar = unknown
            .iter()
            .map(|name| closest(name, if self.variables.contains_key(name) { &variables } else { &known }));
        let similar = similar.collect();
        let clashes = book.all().iter().map(|held| held.get().name().to_owned()).collect::<Vec<_>>();
        let mut clashes: Vec<String> =
            clashes.into_iter().filter(|name| book.clashes_of(name).is_some()).collect();
        clashes.sort_unstable();
        clashes.dedup();
        Ok(Report { changed, unknown, similar, clashes })
    }

    /// What limiters there are that cannot have what is asked for them.
    fn misfits(&self, book: &BookRef) -> Option<ConfigError> {
        let (names, variables) = (settings(&self.names), settings(&self.variables));
        let misfits = book.misfits(&names, &variables, environment::variable);
        (!misfits.is_empty()).then(|| self.unfit(misfits))
    }

    /// Says so of each of them.
    fn unfit(&self, mut misfits: Vec<(String, Held, Unfit)>) -> ConfigError {
        let place = |name: &str| {
            let of_variable = self.variables.get(&environment::variable(name));
            of_variable.filter(|entry| entry.has_limits()).or_else(|| self.names.get(name))
        };
        misfits.sort_by_key(|(name, ..)| place(name).map(Entry::at));
        ConfigError::unfit(misfits.iter().map(|(name, held, why)| (place(name), &**name, held.get(), why)))
    }
}

fn settings(entries: &BTreeMap<String, Entry>) -> BTreeMap<String, Setting> {
    entries.iter().map(|(name, entry)| (name.clone(), entry.setting())).collect()
}

/// A map of names, each with limits, a mode or both. What is wrong is told by name, since where it stands is not known here.
impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let place = |_, _: &str| None;
        let mut faults = Faults::new(&place);
        let names = read_all(Node::deserialize(deserializer)?, &mut faults);
        match faults.into_error() {
            Some(error) => Err(D::Error::custom(error)),
            None => Ok(Self { names: names.into_iter().collect(), variables: BTreeMap::new() }),
        }
    }
}

/// What has come of an [`apply`](Settings::apply) that succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "names that no limiter has may be mistyped"]
pub struct Report {
    changed: Vec<String>,
    unknown: Vec<String>,
    /// For each of the unknown ones a known one, if one is alike.
    similar: Vec<Option<String>>,
    clashes: Vec<String>,
}

impl Report {
    /// The names that are in force for limiters that have been called, in their order.
    #[must_use]
    pub fn known(&self) -> &[String] {
        &self.changed
    }

    /// The names, and variables of the environment, that no limiter has had yet: it may come, or the name is mistyped.
    #[must_use]
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The names that several limiters have which differ in their limits or their kind of window: see
    /// [`Registry::clashes`](crate::registry::Registry::clashes).
    #[must_use]
    pub fn clashes(&self) -> &[String] {
        &self.clashes
    }
}

/// A line for each thing to look at, and one for what was done.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} names of limiters are configured", self.changed.len())?;
        for (name, similar) in self.unknown.iter().zip(&self.similar) {
            write!(f, "\nno limiter has been called yet for `{name}`")?;
            if let Some(similar) = similar {
                write!(f, "; did you mean `{similar}`?")?;
            }
        }
        for name in &self.clashes {
            write!(f, "\nseveral limiters named `{name}` differ in their limits or their kind of window")?;
        }
        Ok(())
    }
}

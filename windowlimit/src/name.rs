//! Names that were made at run time, kept once for the life of the process: so a refusal carries its name without a
//! count of references, which all threads that are refused would have to write.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// The name, in a form that lives as long as the process. The same name is kept only once.
pub(crate) fn interned(name: Cow<'static, str>) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let name = match name {
        Cow::Borrowed(name) => return name,
        Cow::Owned(name) => name,
    };
    // A panic elsewhere cannot leave a set of names in a bad state.
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return known;
    }
    let name: &'static str = Box::leak(name.into_boxed_str());
    names.insert(name);
    name
}

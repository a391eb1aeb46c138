//! The lines of keys for which somebody waits.

use std::sync::Arc;

use dashmap::DashMap;

use crate::{
    keyed::{Digest, PassThrough},
    sync::Mutex,
};

/// A line that is forgotten when it concerns nobody any more.
pub(crate) trait Ends {
    /// Whether there is nothing left to tell anybody.
    fn is_over(&self) -> bool;

    /// Ends it: nobody may join it any more, since another line of the same key is the one that counts.
    fn close(&mut self);

    fn is_closed(&self) -> bool;
}

/// A line for each key for which somebody waits.
///
/// The lock of a shard is taken last, under that of a line as well: under it, a line is only looked up.
pub(crate) struct Lines<L>(DashMap<Digest, Arc<Mutex<L>>, PassThrough>);

impl<L> Default for Lines<L> {
    fn default() -> Self {
        Self(DashMap::default())
    }
}

impl<L> Lines<L> {
    pub(crate) fn contains_key(&self, key: &Digest) -> bool {
        self.0.contains_key(key)
    }

    pub(crate) fn get(&self, key: &Digest) -> Option<Arc<Mutex<L>>> {
        self.0.get(key).map(|line| line.clone())
    }

    pub(crate) fn keys(&self) -> Vec<Digest> {
        self.0.iter().map(|line| *line.key()).collect()
    }
}

impl<L: Ends> Lines<L> {
    /// Looks at the line of a key, under its lock; at a new one where there is none. A line is there as long as it concerns
    /// anybody.
    pub(crate) fn with<R>(&self, key: Digest, new: impl Fn() -> L, look: impl FnOnce(&mut L) -> R) -> R {
        let mut look = Some(look);
        loop {
            let line = self.0.entry(key).or_insert_with(|| Arc::new(Mutex::new(new()))).clone();
            let mut locked = line.lock();
            let look = if locked.is_closed() { None } else { look.take() };
            let result = look.map(|look| look(&mut locked));
            if locked.is_over() {
                // Whoever has found it already looks for the next.
                locked.close();
                self.0.remove_if(&key, |_, known| Arc::ptr_eq(known, &line));
            }
            if let Some(result) = result {
                return result;
            }
        }
    }
}

//! Lists of limits that were made at run time, kept once for the life of the process: so a refusal names every limit of
//! its limiter, without an allocation and without a count of references, which all threads that are refused would have to
//! write.

use std::{
    collections::HashSet,
    sync::{LazyLock, PoisonError, RwLock},
};

use crate::limit::Limit;

/// How many lists are kept, and of how many limits each: some hundred kilobytes where a program makes ever new ones. Beyond
/// that a refusal names the limit that refused, and no other.
const MOST_LISTS: usize = 4_096;
const LONGEST_LIST: usize = 64;

/// The limits that a call was decided by, if they are several and known for as long as the process lives.
pub(crate) type Together = Option<&'static [Limit]>;

/// The same limits in a form that lives as long as the process. A single one needs none: it is a value.
pub(crate) fn lasting(limits: &[Limit]) -> Together {
    static LISTS: LazyLock<RwLock<HashSet<&'static [Limit]>>> = LazyLock::new(RwLock::default);
    if !(2..=LONGEST_LIST).contains(&limits.len()) {
        return None;
    }
    // A panic elsewhere cannot leave a set of lists in a bad state.
    let known = LISTS.read().unwrap_or_else(PoisonError::into_inner).get(limits).copied();
    if known.is_some() {
        return known;
    }
    let mut lists = LISTS.write().unwrap_or_else(PoisonError::into_inner);
    // Another thread may have been here between the two locks.
    if let Some(known) = lists.get(limits) {
        return Some(known);
    }
    if lists.len() == MOST_LISTS {
        return None;
    }
    let list: &'static [Limit] = Vec::leak(limits.to_vec());
    lists.insert(list);
    Some(list)
}

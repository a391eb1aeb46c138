//! What is promised, read off the words: lists of admissions, counted by hand.
//!
//! They are slow on purpose. Nothing in them is shared with an engine.

mod exact;
mod fixed;
mod line;
mod segmented;

use windowlimit::Limit;

pub use self::{
    exact::Oracle,
    fixed::Fixed,
    line::{Line, Outcome, Waiter},
    segmented::Segmented,
};
use crate::subject::State;

/// An admission, as all of the oracles remember it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: u64,
    units: u32,
    /// Its place among all admissions.
    number: usize,
}

/// The state of the tightest limit: the least left, of equals the one that stays so for the longest, of equals the first.
fn tightest(states: impl Iterator<Item = State>) -> State {
    states
        .reduce(|tightest, other| {
            let left = |state: &State| (state.remaining, std::cmp::Reverse(state.reset_after));
            if left(&other) < left(&tightest) { other } else { tightest }
        })
        .expect("a subject has limits")
}

/// The refusal of the limit that has room last, of equals the first.
fn last(refusals: impl Iterator<Item = Option<(Limit, u64)>>) -> Option<(Limit, u64)> {
    refusals.flatten().reduce(|last, other| if other.1 > last.1 { other } else { last })
}

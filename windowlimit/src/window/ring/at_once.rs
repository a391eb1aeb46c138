//! The decision as it almost always is, in one straight line: one limit, one unit, the hint is right, and nobody comes
//! between. All else is left to the [ring](super)'s own way.

use super::{Ring, View};
use crate::{
    clock::{Clock, Latest},
    limit::Limit,
    retry::Retry,
    sync::give_way,
    window::{
        answer::Receipt,
        circle::{Circle, Head},
    },
};

impl Ring {
    /// Admits one unit if this limit, the only one and not 0, has room for it. `None` if it is not so common a case.
    #[inline]
    pub(crate) fn check_at_once<C: Clock + ?Sized>(
        &self,
        limit: &Limit,
        clock: &C,
    ) -> Option<Result<(), Retry>> {
        self.decide_at_once(limit, clock, |_| Some(()))
    }

    /// The same, and says what it left.
    #[inline]
    pub(crate) fn claim_at_once<C: Clock + ?Sized>(
        &self,
        limit: &Limit,
        clock: &C,
    ) -> Option<Result<Receipt, Retry>> {
        self.decide_at_once(limit, clock, |view| view.receipt().ok())
    }

    // What is said comes back in two words if it is nothing, which spares an admission a dozen stores.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn decide_at_once<C: Clock + ?Sized, R>(
        &self,
        limit: &Limit,
        clock: &C,
        receipt: impl FnOnce(View<'_, '_>) -> Option<R>,
    ) -> Option<Result<R, Retry>> {
        let (_, circle) = self.current();
        let Ok(Some(head)) = circle.head_at(circle.hint()) else { return None };
        let n = limit.max() as usize;
        let remembered = n <= circle.capacity();
        let Ok(word) = (if remembered { circle.look_back(head, n) } else { Ok(head.oldest) }) else {
            return None;
        };
        let free_at = word.at() + limit.nanos();
        if remembered && !word.is_empty() && is_before_long(free_at, circle, head, clock) {
            return Retry::at(free_at).map(Err);
        }
        let view = View::now(circle, head, limit, &[], 0, clock);
        if word.is_live(view.now, limit.nanos()) {
            // Where it is not remembered so far back, the circle has to grow.
            let is_full = remembered && circle.is_still(head);
            return if is_full { Retry::after(free_at - view.reading).map(Err) } else { None };
        }
        // Read before the claim: if that succeeds, nobody has come between.
        let receipt = receipt(view)?;
        if circle.claim(head, view.now) {
            Some(Ok(receipt))
        } else {
            give_way();
            None
        }
    }
}

/// Whether it is before this instant, by the [latest](Clock::latest) that it may be: then what is live until it is live now
/// (I4), and nobody needs to know the exact time.
///
/// Whether to ask is told by the newest admission, for nothing: the time is not before it.
#[allow(clippy::inline_always)]
#[inline(always)]
fn is_before_long<C: Clock + ?Sized>(instant: u64, circle: Circle<'_>, head: Head, clock: &C) -> bool {
    instant > head.newest.at() + Latest::SLACK
        // As an instant, the latest reading is a nanosecond more.
        && clock.latest().is_some_and(|latest| latest.nanos() < instant - 1)
        && circle.is_still(head)
}

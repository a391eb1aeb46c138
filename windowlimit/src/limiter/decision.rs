//! How a call comes to the window.

use super::Limiter;
use crate::{clock::Clock, error::RateLimitExceeded, window::timeline::Admitted};

impl<C: Clock> Limiter<C> {
    /// Admits a call that takes one unit. With `RECEIPT`, it says what it left.
    #[inline]
    pub(super) fn claim_one<const RECEIPT: bool>(&self) -> Result<Option<Admitted>, RateLimitExceeded> {
        let decided =
            if self.gate.is_clear() { self.timeline.claim_at_once::<RECEIPT, C>(&self.clock) } else { None };
        match decided {
            Some(Ok(admitted)) => Ok(admitted),
            Some(Err(full)) => Err(RateLimitExceeded::full(self.name, full)),
            None => self.claim::<RECEIPT>(1),
        }
    }

    /// Admits a call that takes so many units. Cold, for the sake of `claim_one`, whose way for a plain limiter is to stay
    /// straight; it is the usual way of all others.
    #[cold]
    #[inline(never)]
    pub(super) fn claim<const RECEIPT: bool>(
        &self,
        cost: u32,
    ) -> Result<Option<Admitted>, RateLimitExceeded> {
        if let Some(refusal) = self.behind_line(cost) {
            return Err(refusal);
        }
        let claimed = self.timeline.claim::<RECEIPT, C>(&self.clock, cost);
        claimed.map_err(|refused| RateLimitExceeded::refused(self.name, refused))
    }
}

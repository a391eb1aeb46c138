//! How a call comes to the window.

use super::Limiter;
use crate::{clock::Clock, error::RateLimitExceeded, window::timeline::Admitted};
#[cfg(not(windowlimit_loom))]
use crate::{gate::Gate, watch::Outcome};

/// Counts what came of a call. (The models of the windows do without: what is counted decides nothing.)
macro_rules! count {
    ($limiter:ident, $how:ident($($what:expr)?)) => {
        #[cfg(not(windowlimit_loom))]
        $limiter.tally.$how($($what)?)
    };
}

impl<C: Clock> Limiter<C> {
    /// Admits a call that takes one unit.
    #[inline]
    pub(super) fn check_one(&self) -> Result<(), RateLimitExceeded> {
        let decided = if self.gate.is_clear() { self.timeline.check_at_once(&self.clock) } else { None };
        match decided {
            Some(Ok(())) => {
                count!(self, admitted());
                Ok(())
            }
            Some(Err((limit, retry))) => {
                count!(self, full());
                Err(RateLimitExceeded::alone_and_full(self.name, *limit, retry))
            }
            None => self.claim::<false>(1).map(drop),
        }
    }

    /// The same, and says what it left.
    #[inline]
    pub(super) fn claim_one(&self) -> Result<Option<Admitted>, RateLimitExceeded> {
        let decided = if self.gate.is_clear() { self.timeline.claim_at_once(&self.clock) } else { None };
        match decided {
            Some(Ok(admitted)) => {
                count!(self, admitted());
                Ok(Some(admitted))
            }
            Some(Err((limit, retry))) => {
                count!(self, full());
                Err(RateLimitExceeded::alone_and_full(self.name, *limit, retry))
            }
            None => self.claim::<true>(1),
        }
    }

    /// Admits a call that takes so many units. Cold, for the sake of the two above, whose way for a plain limiter is to stay
    /// straight; it is the usual way of all others.
    #[cold]
    #[inline(never)]
    pub(crate) fn claim<const RECEIPT: bool>(
        &self,
        cost: u32,
    ) -> Result<Option<Admitted>, RateLimitExceeded> {
        #[cfg(not(windowlimit_loom))]
        if self.gate.has(Gate::WATCHED) {
            return self.claim_watched::<RECEIPT>(cost);
        }
        let decided = self.claim_unwatched::<RECEIPT>(cost);
        count!(self, count(Outcome::of(&decided)));
        decided
    }

    /// The same where somebody watches from outside, and may have said that nothing is refused: then nothing may come back
    /// although `RECEIPT` asks for it.
    #[cfg(not(windowlimit_loom))]
    fn claim_watched<const RECEIPT: bool>(&self, cost: u32) -> Result<Option<Admitted>, RateLimitExceeded> {
        self.watch.meet(&self.gate);
        in_scope!(self, |double| double.claim::<RECEIPT>(cost));
        let judged = self.tally.judge(&self.gate, self.name, || {
            let plain = cost == 1 && !self.gate.has(Gate::UNEVEN | Gate::LINE);
            let decided = match (plain, RECEIPT) {
                (false, _) => None,
                (true, false) => {
                    self.timeline.check_at_once(&self.clock).map(|checked| checked.map(|()| None))
                }
                (true, true) => self.timeline.claim_at_once(&self.clock).map(|claimed| claimed.map(Some)),
            };
            match decided {
                Some(Ok(admitted)) => Ok(Some(admitted)),
                Some(Err((limit, retry))) => Err(RateLimitExceeded::alone_and_full(self.name, *limit, retry)),
                None => self.claim_unwatched::<RECEIPT>(cost).map(Some),
            }
        });
        judged.map(Option::flatten)
    }

    fn claim_unwatched<const RECEIPT: bool>(&self, cost: u32) -> Result<Option<Admitted>, RateLimitExceeded> {
        if let Some(refusal) = self.behind_line(cost) {
            return Err(refusal);
        }
        let claimed = self.timeline.claim::<RECEIPT, C>(&self.clock, cost);
        claimed.map_err(|refused| RateLimitExceeded::refused(self.name, refused))
    }
}

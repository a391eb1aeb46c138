//! Calls that wait, where somebody watches the limiter from outside: see [`watch`](crate::watch).

use std::task::{Context, Poll};

use super::{Acquire, Call, Place, acquire::State};
use crate::{
    clock::Clock,
    error::{RateLimitExceeded, Reason},
    gate::Gate,
    permit::Permit,
    watch::{Outcome, Tally, Watch},
    window::timeline::Admitted,
};

impl<'l, C: Clock> Acquire<'l, C> {
    /// What a call does that finds its limiter watched, before it looks at the line: nothing, in most cases.
    #[cold]
    pub(super) fn poll_watched(
        &mut self,
        context: &mut Context<'_>,
    ) -> Option<Poll<Result<Permit<'l, C>, RateLimitExceeded>>> {
        if let State::New(..) = self.state {
            self.place.meet();
        }
        #[cfg(feature = "test-util")]
        if let Some(done) = self.poll_elsewhere(context) {
            return Some(done);
        }
        #[cfg(not(feature = "test-util"))]
        let _ = context;

        let gate = self.place.watched().0;
        let (is_off, is_shadow) = (gate.has(Gate::OFF), gate.has(Gate::SHADOW));
        if !(is_off || is_shadow) {
            return None;
        }
        let admitted = match &self.state {
            // It is told as any other; if the mode was changed meanwhile, it waits.
            State::New(call, _) => self.place.claim(call).ok()?,
            _ if self.ticket().is_none() => return None,
            _ => {
                if !is_off {
                    self.place.note(Outcome::LetThrough(Reason::OthersWait, None));
                }
                None
            }
        };
        if let Some(ticket) = self.ticket() {
            self.place.leave(ticket);
        }
        self.state = State::Done;
        Some(Poll::Ready(Ok(self.place.permit_of(admitted))))
    }

    /// Waits in the scope of a test, in which it was first polled.
    #[cfg(feature = "test-util")]
    fn poll_elsewhere(
        &mut self,
        context: &mut Context<'_>,
    ) -> Option<Poll<Result<Permit<'l, C>, RateLimitExceeded>>> {
        if let State::New(call, patience) = &self.state {
            self.state = State::Elsewhere(self.place.in_scope(call, *patience)?);
        }
        let State::Elsewhere(elsewhere) = &mut self.state else { return None };
        Some(elsewhere.as_mut().poll(context).map(|result| {
            self.state = State::Done;
            Ok(self.place.permit_of(result?))
        }))
    }
}

impl<'l, C: Clock> Place<'l, C> {
    fn watched(&self) -> (&'l Gate, &'l Watch, &'l Tally) {
        match self {
            Self::Limiter(limiter) => limiter.watched(),
            Self::Key(limiter, _) => limiter.watched(),
        }
    }

    /// Whether there is anything to do.
    pub(super) fn is_watched(&self) -> bool {
        self.watched().0.has(Gate::WATCHED)
    }

    fn meet(&self) {
        let (gate, watch, _) = self.watched();
        watch.meet(gate);
    }

    /// Counts and reports what came of a call.
    pub(super) fn note(&self, outcome: Outcome<'_>) {
        let (gate, _, tally) = self.watched();
        tally.note(gate, self.name(), outcome);
    }

    /// Decides as on a call that does not wait.
    fn claim(&self, call: &Call) -> Result<Option<Admitted>, RateLimitExceeded> {
        match self {
            Self::Limiter(limiter) => limiter.claim::<true>(call.cost),
            Self::Key(limiter, key) => limiter.claim_any::<true>(*key, call.limits.as_deref(), call.cost),
        }
    }

    fn permit_of(&self, admitted: Option<Admitted>) -> Permit<'l, C> {
        match admitted {
            Some(admitted) => self.permit(admitted),
            None => match *self {
                Self::Limiter(limiter) => Permit::uncounted(limiter, limiter.usage()),
                Self::Key(limiter, _) => Permit::uncounted_key(limiter),
            },
        }
    }
}

#[cfg(feature = "test-util")]
pub(super) use self::scope::Elsewhere;

#[cfg(feature = "test-util")]
mod scope {
    use std::pin::Pin;

    use super::{Admitted, RateLimitExceeded};
    use crate::{
        clock::Clock,
        line::{Acquire, Call, Place, place::Patience},
    };

    /// A call of a double.
    pub(in crate::line) type Elsewhere =
        Pin<Box<dyn Future<Output = Result<Option<Admitted>, RateLimitExceeded>> + Send>>;

    impl<C: Clock> Place<'_, C> {
        /// The call of the double that there is in the scope of a test, if this is one.
        pub(super) fn in_scope(&self, call: &Call, patience: Patience) -> Option<Elsewhere> {
            let call = call.clone();
            Some(match self {
                Self::Limiter(limiter) => {
                    let double = limiter.double()?;
                    Box::pin(async move {
                        let acquire = Acquire::of(Place::Limiter(&double), call, patience);
                        acquire.await.map(|permit| permit.admitted())
                    })
                }
                Self::Key(limiter, key) => {
                    let (double, key) = (limiter.double()?, *key);
                    Box::pin(async move {
                        let acquire = Acquire::of(Place::Key(&double, key), call, patience);
                        acquire.await.map(|permit| permit.admitted())
                    })
                }
            })
        }
    }
}

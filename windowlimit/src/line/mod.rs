//! STUB, to be thrown away: stands in for the line of waiters so that expansions of `wait` compile and run. It decides at
//! once and never waits. What it shares with the line is its shape: the type, that it is a future with a `Drop`, and what
//! it borrows.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use crate::{
    clock::{Clock, SystemClock},
    error::RateLimitExceeded,
    permit::Permit,
};

/// A call that waits for its turn: a future that gives its permit.
pub struct Acquire<'l, C: Clock = SystemClock> {
    decided: Option<Result<Permit<'l, C>, RateLimitExceeded>>,
}

impl<'l, C: Clock> Acquire<'l, C> {
    pub(crate) fn decided(decided: Result<Permit<'l, C>, RateLimitExceeded>) -> Self {
        Self { decided: Some(decided) }
    }

    /// Waits for the turn and blocks the thread meanwhile.
    ///
    /// # Errors
    ///
    /// As the future.
    #[expect(clippy::missing_panics_doc, reason = "stub")]
    pub fn blocking(mut self) -> Result<Permit<'l, C>, RateLimitExceeded> {
        self.decided.take().expect("it is decided")
    }
}

impl<C: Clock> Unpin for Acquire<'_, C> {}

impl<'l, C: Clock> Future for Acquire<'l, C> {
    type Output = Result<Permit<'l, C>, RateLimitExceeded>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        self.decided.take().map_or(Poll::Pending, Poll::Ready)
    }
}

impl<C: Clock> Drop for Acquire<'_, C> {
    fn drop(&mut self) {
        self.decided = None;
    }
}

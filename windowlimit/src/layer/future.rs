//! The response to come.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use pin_project_lite::pin_project;

use super::Answer;
use crate::web::RateLimitFields;

pin_project! {
    /// The future of a [`WindowLimit`](super::WindowLimit) service: that of the service behind it, or a refusal, which is
    /// there at once.
    #[must_use = "a future does nothing until it is polled"]
    pub struct WindowLimitFuture<F, Res, E, A> {
        #[pin]
        state: State<F, Res, E, A>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<F, Res, E, A> {
        Admitted {
            #[pin]
            response: F,
            // What is to be added to the response, and who adds it.
            fields: Option<(RateLimitFields, A)>,
        },
        Refused {
            answer: Option<Result<Res, E>>,
        },
    }
}

impl<F, Res, E, A> WindowLimitFuture<F, Res, E, A> {
    pub(super) fn admitted(response: F, fields: Option<(RateLimitFields, A)>) -> Self {
        Self { state: State::Admitted { response, fields } }
    }

    pub(super) fn refused(answer: Result<Res, E>) -> Self {
        Self { state: State::Refused { answer: Some(answer) } }
    }
}

impl<F, Res, E, A> Future for WindowLimitFuture<F, Res, E, A>
where
    F: Future<Output = Result<Res, E>>,
    A: Answer<Res, E>,
{
    type Output = Result<Res, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().state.project() {
            StateProjection::Admitted { response, fields } => {
                let mut response = ready!(response.poll(context));
                if let (Ok(response), Some((fields, answer))) = (&mut response, fields.take()) {
                    answer.admit(fields, response);
                }
                Poll::Ready(response)
            }
            StateProjection::Refused { answer } => match answer.take() {
                Some(answer) => Poll::Ready(answer),
                // It has been polled again after it was ready: there is nothing to come.
                None => Poll::Pending,
            },
        }
    }
}

impl<F, Res, E, A> fmt::Debug for WindowLimitFuture<F, Res, E, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_admitted = matches!(self.state, State::Admitted { .. });
        f.debug_struct("WindowLimitFuture").field("is_admitted", &is_admitted).finish_non_exhaustive()
    }
}

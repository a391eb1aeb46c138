//! What a refused request is answered with, and what is added to the answer of an admitted one.

use std::fmt;

use http::Response;

use crate::{
    error::RateLimitExceeded,
    web::{FieldSyntax, RateLimitFields, TooManyRequests},
};

/// How requests are answered: [`AsProblem`], [`AsError`] or [`AsResponse`].
pub trait Answer<Res, E>: sealed::Sealed {
    /// What a refused request gets.
    ///
    /// # Errors
    ///
    /// If a refusal is an error here.
    fn refuse(&self, refusal: RateLimitExceeded) -> Result<Res, E>;

    /// Whether [`admit`](Self::admit) adds anything.
    fn wants_fields(&self) -> bool {
        false
    }

    /// Adds to the response of an admitted request what it is to say.
    fn admit(&self, fields: RateLimitFields, response: &mut Res) {
        let _ = (fields, response);
    }
}

/// A refusal is a response, [`TooManyRequests`]: what a [`WindowLimitLayer`](crate::WindowLimitLayer) begins with.
#[derive(Clone, Debug)]
pub struct AsProblem {
    syntax: FieldSyntax,
    x_rate_limit: bool,
    with_fields: bool,
}

impl AsProblem {
    pub(super) const NEW: Self =
        Self { syntax: FieldSyntax::Draft11, x_rate_limit: false, with_fields: false };

    pub(super) const fn with_fields(self) -> Self {
        Self { with_fields: true, ..self }
    }

    pub(super) const fn syntax(self, syntax: FieldSyntax) -> Self {
        Self { syntax, ..self }
    }

    pub(super) const fn x_rate_limit(self) -> Self {
        Self { x_rate_limit: true, ..self }
    }
}

impl<B: From<String>, E> Answer<Response<B>, E> for AsProblem {
    fn refuse(&self, refusal: RateLimitExceeded) -> Result<Response<B>, E> {
        let answer = TooManyRequests::from(refusal).syntax(self.syntax);
        Ok(if self.x_rate_limit { answer.x_rate_limit() } else { answer }.into_http())
    }

    fn wants_fields(&self) -> bool {
        self.with_fields
    }

    fn admit(&self, fields: RateLimitFields, response: &mut Response<B>) {
        let fields = fields.syntax(self.syntax);
        if self.x_rate_limit { fields.x_rate_limit() } else { fields }.append_to(response.headers_mut());
    }
}

/// A refusal is the error of the service.
#[derive(Clone, Debug)]
pub struct AsError;

impl<Res, E: From<RateLimitExceeded>> Answer<Res, E> for AsError {
    fn refuse(&self, refusal: RateLimitExceeded) -> Result<Res, E> {
        Err(refusal.into())
    }
}

/// A refusal is the response that a closure makes of it.
#[derive(Clone)]
pub struct AsResponse<F>(pub(super) F);

impl<Res, E, F: Fn(RateLimitExceeded) -> Res> Answer<Res, E> for AsResponse<F> {
    fn refuse(&self, refusal: RateLimitExceeded) -> Result<Res, E> {
        Ok(self.0(refusal))
    }
}

impl<F> fmt::Debug for AsResponse<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsResponse").finish_non_exhaustive()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AsProblem {}
    impl Sealed for super::AsError {}
    impl<F> Sealed for super::AsResponse<F> {}
}

//! What axum's handlers return. On `axum-core`, which changes less often than axum.

use std::convert::Infallible;

use axum_core::response::{IntoResponse, IntoResponseParts, Response, ResponseParts};

use super::{RateLimitFields, TooManyRequests};
use crate::error::RateLimitExceeded;

/// As [`TooManyRequests`].
impl IntoResponse for RateLimitExceeded {
    fn into_response(self) -> Response {
        TooManyRequests::from(self).into_response()
    }
}

impl IntoResponse for TooManyRequests {
    fn into_response(self) -> Response {
        self.into_http()
    }
}

impl IntoResponseParts for RateLimitFields {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        self.append_to(parts.headers_mut());
        Ok(parts)
    }
}

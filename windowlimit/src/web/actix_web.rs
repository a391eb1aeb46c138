//! What actix-web's handlers return. It has an `http` crate of its own, of an earlier version.

use actix_web::{
    HttpResponse, ResponseError,
    body::BoxBody,
    http::{StatusCode, header},
};

use super::TooManyRequests;
use crate::error::RateLimitExceeded;

/// As [`TooManyRequests`].
impl ResponseError for RateLimitExceeded {
    fn status_code(&self) -> StatusCode {
        StatusCode::TOO_MANY_REQUESTS
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        TooManyRequests::from(self.clone()).error_response()
    }
}

impl ResponseError for TooManyRequests {
    fn status_code(&self) -> StatusCode {
        StatusCode::TOO_MANY_REQUESTS
    }

    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((header::CONTENT_TYPE, Self::CONTENT_TYPE));
        for field in self.fields().iter() {
            response.append_header(field);
        }
        response.body(self.body())
    }
}

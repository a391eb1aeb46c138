//! In the types of the `http` crate, which most frameworks and clients share.

use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use super::{RateLimitFields, TooManyRequests};

impl RateLimitFields {
    /// Adds the fields to those that are there. Other lists of policies stay, so that all limits that a request passed are
    /// in the response.
    ///
    /// ```
    /// use http::Response;
    /// use windowlimit::{Limit, Limiter, RateLimitFields};
    ///
    /// static SEARCH: Limiter = Limiter::new("search", Limit::per_minute(5));
    ///
    /// let permit = SEARCH.try_acquire()?;
    /// let mut response = Response::new("nothing found");
    /// RateLimitFields::from(&permit).append_to(response.headers_mut());
    /// assert_eq!(response.headers()["ratelimit"], r#""search";r=4;t=60"#);
    /// # Ok::<(), windowlimit::RateLimitExceeded>(())
    /// ```
    pub fn append_to(&self, headers: &mut HeaderMap) {
        for (field, value) in self.iter() {
            // Both are visible ASCII, and short: there is no other outcome.
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.append(HeaderName::from_static(field), value);
            }
        }
    }
}

impl TooManyRequests {
    /// The response, with a body of any type that a text becomes.
    ///
    /// ```
    /// use windowlimit::{Limit, Limiter, ManualClock, TooManyRequests};
    ///
    /// let clock = ManualClock::new();
    /// let limiter = Limiter::with_clock("search", &[const { Limit::per_minute(1) }], &clock);
    ///
    /// assert!(limiter.check().is_ok());
    /// let response: http::Response<String> = TooManyRequests::from(limiter.check().unwrap_err()).into_http();
    /// assert_eq!(response.status(), 429);
    /// assert_eq!(response.headers()["retry-after"], "60");
    /// ```
    #[must_use]
    pub fn into_http<B: From<String>>(self) -> Response<B> {
        let mut response = Response::new(B::from(self.body()));
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Self::CONTENT_TYPE));
        self.fields().append_to(headers);
        response
    }
}

//! The whole response to a refused call, for any framework.

use std::fmt;

use super::fields::{FieldSyntax, RateLimitFields, Style};
use crate::error::RateLimitExceeded;

/// A refusal as a response: status 429, the [fields](RateLimitFields), and a body that programs can read, a problem of
/// [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457):
///
/// ```json
/// {
///   "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
///   "title": "Request cannot be satisfied as assigned quota has been exceeded",
///   "status": 429,
///   "detail": "Too many requests, please try again later.",
///   "violated-policies": ["search"]
/// }
/// ```
///
/// A [`RateLimitExceeded`] that a handler returns as its error becomes this by itself, in axum and actix-web. By hand it is for
/// errors of one's own, and for other fields:
///
/// ```
/// use windowlimit::{FieldSyntax, RateLimitExceeded, TooManyRequests, window_rate_limit};
///
/// #[window_rate_limit(limit = 5, window = "1m", error = |refusal| answer(refusal))]
/// fn search() -> Result<String, TooManyRequests> {
///     Ok("nothing found".to_owned())
/// }
///
/// fn answer(refusal: RateLimitExceeded) -> TooManyRequests {
///     TooManyRequests::from(refusal).x_rate_limit()
/// }
/// # assert!(search().is_ok());
/// ```
///
/// What the client is told are its limits and when to come back. That a limiter is misconfigured, or has no place for another
/// key, it learns as `about:blank`, without numbers: [`reason`](RateLimitExceeded::reason) and `{:#}` of the refusal are for
/// the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyRequests {
    refusal: RateLimitExceeded,
    style: Style,
}

/// The type of a problem that is a quota that has been exceeded, as draft 11 registers it. (`http::Uri` drops what stands
/// behind `#`, and with it crates of problems that are built on it.)
const QUOTA_EXCEEDED: &str = "https://iana.org/assignments/http-problem-types#quota-exceeded";

impl TooManyRequests {
    /// Too Many Requests.
    pub const STATUS: u16 = 429;

    /// What the body is.
    pub const CONTENT_TYPE: &'static str = "application/problem+json";

    /// The same with fields in another syntax.
    #[must_use]
    pub fn syntax(mut self, syntax: FieldSyntax) -> Self {
        self.style.syntax = syntax;
        self
    }

    /// The same with [`X-RateLimit-*`](RateLimitFields::x_rate_limit).
    #[must_use]
    pub fn x_rate_limit(mut self) -> Self {
        self.style.x_rate_limit = true;
        self
    }

    /// What is answered.
    #[must_use]
    pub fn refusal(&self) -> &RateLimitExceeded {
        &self.refusal
    }

    /// Its header fields, but for `Content-Type`.
    #[must_use]
    pub fn fields(&self) -> RateLimitFields {
        RateLimitFields::from(&self.refusal).with_style(self.style)
    }

    /// Its body, in JSON.
    #[must_use]
    pub fn body(&self) -> String {
        let (kind, title, more) = match RateLimitFields::from(&self.refusal).violated() {
            Some(policy) => (
                QUOTA_EXCEEDED,
                "Request cannot be satisfied as assigned quota has been exceeded",
                format!(r#","violated-policies":[{policy:?}]"#),
            ),
            None => ("about:blank", "Too Many Requests", String::new()),
        };
        // Of texts in visible ASCII, as all of these are, `Debug` is JSON. (A crate for JSON would be a burden to those who do
        // not use it: with `serde_json` among its dependencies, however deep, a program can no longer leave it to the
        // compiler what an integer is compared with.)
        let (status, detail) = (Self::STATUS, self.refusal.to_string());
        format!(r#"{{"type":{kind:?},"title":{title:?},"status":{status},"detail":{detail:?}{more}}}"#)
    }
}

impl From<RateLimitExceeded> for TooManyRequests {
    fn from(refusal: RateLimitExceeded) -> Self {
        Self { refusal, style: Style::default() }
    }
}

/// As the refusal.
impl fmt::Display for TooManyRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

impl std::error::Error for TooManyRequests {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.refusal)
    }
}

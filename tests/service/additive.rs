//! With all features on, what compiled before still does, and does the same.

/// Programs that the attribute's own tests compile without any feature.
mod before {
    macro_rules! programs {
        ($($name:ident),*) => {$(
            mod $name {
                #![allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
                include!(concat!("../ui/pass/", stringify!($name), ".rs"));

                #[test]
                fn f97_it_runs() {
                    main();
                }
            }
        )*};
    }
    programs!(algorithm, cost, error_and_fallback, futures, key, limit_and_window, limiter, limits, skip);
}

use std::error::Error;

use windowlimit::{Limit, Limiter, Permit, RateLimitExceeded, window_rate_limit};

static OPEN: Limiter = Limiter::new("open", Limit::per_hour(1_000));

/// An error that is made from one other alone, so that the compiler finds the type between from that.
#[derive(Debug, PartialEq)]
struct Mine(String);

impl From<RateLimitExceeded> for Mine {
    fn from(refusal: RateLimitExceeded) -> Self {
        Self(refusal.to_string())
    }
}

#[test]
fn f97_conversions_are_still_found_by_themselves() {
    fn mine() -> Result<(), Mine> {
        OPEN.check()?;
        OPEN.check().map_err(Into::into)
    }
    fn boxed() -> Result<(), Box<dyn Error + Send + Sync>> {
        OPEN.check()?;
        Ok(OPEN.check().map(drop)?)
    }
    assert_eq!(mine(), Ok(()));
    assert!(boxed().is_ok());
    let closure = || -> Result<_, Mine> { Ok(OPEN.try_acquire()?.remaining()) };
    assert!(closure().is_ok());
    let error: Mine = OPEN.check_n(2_000).unwrap_err().into();
    assert!(error.0.starts_with("Too many"));
}

/// Methods of the user's own traits, by the names that ours might have had.
trait Extension {
    fn fields(&self) -> &'static str {
        "mine"
    }
    fn response(&self) -> &'static str {
        "mine"
    }
    fn limit_fields(&self) -> &'static str {
        "mine"
    }
}

impl Extension for RateLimitExceeded {}
impl<C> Extension for Permit<'_, C> {}
impl Extension for Limiter {}

#[test]
fn f97_no_method_comes_before_one_of_the_users_own() {
    let refusal = OPEN.check_n(2_000).unwrap_err();
    let permit = OPEN.try_acquire().unwrap();
    assert_eq!([refusal.fields(), refusal.response(), refusal.limit_fields()], ["mine"; 3]);
    assert_eq!([permit.fields(), permit.response(), permit.limit_fields()], ["mine"; 3]);
    assert_eq!(OPEN.fields(), "mine");
}

/// A wrapper with an implementation of its own, as people write who had no feature.
struct Answer(RateLimitExceeded);

impl axum::response::IntoResponse for Answer {
    fn into_response(self) -> axum::response::Response {
        (http::StatusCode::SERVICE_UNAVAILABLE, self.0.to_string()).into_response()
    }
}

impl From<RateLimitExceeded> for Answer {
    fn from(refusal: RateLimitExceeded) -> Self {
        Self(refusal)
    }
}

#[test]
fn f97_a_response_of_ones_own_stays_what_it_is() {
    #[window_rate_limit(limit = 1, window = "1h")]
    fn handler() -> Result<&'static str, Answer> {
        Ok("hello")
    }
    use axum::response::IntoResponse;
    assert_eq!(handler().into_response().status(), 200);
    assert_eq!(handler().into_response().status(), 503);
}

#[test]
fn f97_types_stay_as_they_are() {
    fn goes_everywhere<T: Error + Clone + Eq + Send + Sync + Unpin + 'static>() {}
    goes_everywhere::<RateLimitExceeded>();
    assert!(size_of::<RateLimitExceeded>() <= 64);
    // As `tests/it` says it without the features.
    let refusal = OPEN.check_n(2_000).unwrap_err();
    assert_eq!(
        format!("{refusal:?}"),
        "RateLimitExceeded { name: \"open\", limit: 1000, window: 3600s, retry_after: None, reason: NeverFits, decider: Process }"
    );
}

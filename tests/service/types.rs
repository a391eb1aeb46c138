//! Refusals and permits where the types of a framework are expected. (The examples show that they arrive.)

use std::time::Duration;

use axum::response::IntoResponse;
use tonic::{Code, Response, Status};
use tonic_types::StatusExt;
use windowlimit::{
    Limit, Limiter, ManualClock, RateLimitExceeded, RateLimitFields, TooManyRequests, window_rate_limit,
};

/// The limit that has refused, and what is left of the other.
const BOTH: &str = r#""jos%C3%A9 1/1m";r=0;t=60, "jos%C3%A9 9/1s";r=8;t=1"#;

fn refusal() -> RateLimitExceeded {
    let clock = ManualClock::new();
    let limits = [Limit::per_second(9), Limit::per_minute(1)];
    let limiter =
        Limiter::builder().name("josé").limits(limits).clock(&clock).build().expect("it has limits");
    assert!(limiter.check().is_ok());
    clock.advance(Duration::from_nanos(1));
    limiter.check().expect_err("it is full")
}

#[test]
fn axum_answers_with_the_response_of_http() {
    let expected: http::Response<String> = TooManyRequests::from(refusal()).x_rate_limit().into_http();
    let response = TooManyRequests::from(refusal()).x_rate_limit().into_response();
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers(), expected.headers());
    assert_eq!(refusal().into_response().headers()["retry-after"], "60");
    // In a handler's own response.
    let response = (RateLimitFields::from(&refusal()), "no").into_response();
    assert_eq!(response.headers()["ratelimit"], BOTH);
}

#[test]
fn tonic_answers_with_a_status_that_standard_clients_read() {
    let status = Status::from(refusal());
    assert_eq!(status.code(), Code::ResourceExhausted);
    let details = status.get_error_details();
    // To the nanosecond: nobody rounds it.
    let delay = details.retry_info().expect("it says when to come back").retry_delay;
    assert_eq!(delay, Some(Duration::from_secs(60) - Duration::from_nanos(1)));
    let violations = &details.quota_failure().expect("it says which quota").violations;
    assert_eq!(
        (&*violations[0].subject, &*violations[0].description),
        ("jos%C3%A9 1/1m", "at most 1 per 1m")
    );
    assert_eq!(status.metadata().get("ratelimit").expect("it is there"), BOTH);
}

#[test]
fn tonic_is_told_nothing_about_when_where_there_is_nothing_to_tell() {
    static CLOSED: Limiter = Limiter::new("closed", Limit::per_minute(0));
    static NONE: Limiter = Limiter::all_of("none", &[]);
    let closed = Status::from(CLOSED.check().expect_err("it is closed")).get_error_details();
    assert!(closed.retry_info().is_none() && closed.has_quota_failure_violations());
    let none = Status::from(NONE.check().expect_err("it has no limits"));
    assert_eq!(none.code(), Code::ResourceExhausted);
    assert!(none.get_error_details().retry_info().is_none());
    assert!(!none.get_error_details().has_quota_failure_violations());
}

#[tokio::test]
async fn a_handler_of_tonic_carries_the_refusal_by_itself() {
    #[window_rate_limit(limit = 1, window = "1h")]
    #[allow(clippy::unused_async)] // a handler of tonic is
    async fn check() -> Result<Response<()>, Status> {
        Ok(Response::new(()))
    }
    assert!(check().await.is_ok());
    assert_eq!(check().await.expect_err("it is full").code(), Code::ResourceExhausted);
}

//! What a refusal says.

use std::time::Duration;

use serde_json::{Value, json};
use windowlimit::{
    FieldSyntax, KeyedLimiter, Limit, Limiter, RateLimitExceeded, RateLimitFields, Reason, TooManyRequests,
};

use windowlimit_tests::fields::{Manual, Member, dictionary, fields, keyed, limiter, list};

/// Fills a limiter and comes too early by so much.
fn too_early(name: &str, limit: Limit, by: Duration) -> RateLimitExceeded {
    let limiter = limiter(name, &[limit]);
    while limiter.check().is_ok() {}
    limiter.clock().advance(limit.window() - by);
    let refusal = limiter.check().expect_err("it is full");
    assert_eq!(refusal.retry_after(), Some(by));
    refusal
}

fn retry_after(refusal: &RateLimitExceeded) -> String {
    fields(&RateLimitFields::from(refusal))["retry-after"].clone()
}

#[test]
fn f89_less_than_a_second_is_one() {
    for nanos in [1, 1_000_000, 400_000_000, 999_999_999, 1_000_000_000] {
        let refusal = too_early("api", Limit::per_minute(5), Duration::from_nanos(nanos));
        assert_eq!(retry_after(&refusal), "1");
    }
    let refusal = too_early("api", Limit::per_minute(5), Duration::from_nanos(1_000_000_001));
    assert_eq!(retry_after(&refusal), "2");
}

#[test]
fn f90_it_is_in_seconds() {
    let limit = Limit::new(5, Duration::from_secs(120)).unwrap();
    assert_eq!(retry_after(&too_early("api", limit, Duration::from_secs(90))), "90");
    // And in digits, also where it is long.
    let forever = Limit::new(1, Duration::MAX).unwrap();
    let seconds = retry_after(&too_early("api", forever, forever.window()));
    assert_eq!(seconds, "9223372037");
}

#[test]
fn all_fields_of_a_refusal() {
    let refusal = too_early("search", Limit::per_minute(5), Duration::from_millis(11_400));
    let mut fields = fields(&RateLimitFields::from(&refusal));
    let mut take = |field| fields.remove(field).expect("it is there");
    assert_eq!(take("retry-after"), "12");
    assert_eq!(list(&take("ratelimit-policy")), [Member::new("search", [("q", 5), ("w", 60)])]);
    assert_eq!(list(&take("ratelimit")), [Member::new("search", [("r", 0), ("t", 12)])]);
    assert_eq!(take("cache-control"), "no-store");
    assert_eq!(fields.len(), 0);
}

#[test]
fn f94_several_limits_are_several_members_and_one_retry_time() {
    let limits = [Limit::per_second(2), Limit::per_minute(3), Limit::per_hour(100)];
    let (whole, keyed) = (limiter("api", &limits), keyed("api", &limits));
    for _ in 0..3 {
        assert!(whole.check().is_ok() && keyed.check("me").is_ok());
        whole.clock().advance(Duration::from_millis(600));
        keyed.clock().advance(Duration::from_millis(600));
    }
    for refusal in [whole.check().unwrap_err(), keyed.check("me").unwrap_err()] {
        let fields = fields(&RateLimitFields::from(&refusal));
        // The minute has room last.
        assert_eq!(fields["retry-after"], "59");
        assert_eq!(
            list(&fields["ratelimit-policy"]),
            [
                Member::new("api 2/1s", [("q", 2), ("w", 1)]),
                Member::new("api 3/1m", [("q", 3), ("w", 60)]),
                Member::new("api 100/1h", [("q", 100), ("w", 3_600)]),
            ]
        );
        // The one that refused is the first; of the others, two of the second's have left, one has not.
        assert_eq!(
            list(&fields["ratelimit"]),
            [
                Member::new("api 3/1m", [("r", 0), ("t", 59)]),
                Member::new("api 2/1s", [("r", 1), ("t", 1)]),
                Member::new("api 100/1h", [("r", 97), ("t", 3_599)]),
            ]
        );
        assert_eq!(problem(&refusal)["violated-policies"], json!(["api 3/1m"]));
    }
}

#[test]
fn the_same_limit_twice_is_one_policy() {
    let limiter = limiter("api", &[Limit::per_minute(1), Limit::per_minute(1)]);
    let permit = limiter.try_acquire().unwrap();
    let fields = fields(&RateLimitFields::from(&permit));
    assert_eq!(list(&fields["ratelimit-policy"]), [Member::new("api 1/1m", [("q", 1), ("w", 60)])]);
    assert_eq!(list(&fields["ratelimit"]), [Member::new("api 1/1m", [("r", 0), ("t", 60)])]);
}

#[test]
fn f95_windows_are_rounded_up_and_names_escaped() {
    let limit = Limit::new(5, Duration::from_millis(1_500)).unwrap();
    for name in [
        r#"the "best" one"#,
        r"a\b",
        "",
        "a, b;q=1",
        "crate::module::function",
        "100 per minute",
        "~ tilde ~",
    ] {
        let refusal = too_early(name, limit, Duration::from_millis(1));
        let fields = fields(&RateLimitFields::from(&refusal));
        assert_eq!(list(&fields["ratelimit-policy"]), [Member::new(name, [("q", 5), ("w", 2)])]);
        assert_eq!(list(&fields["ratelimit"]), [Member::new(name, [("r", 0), ("t", 1)])]);
        assert_eq!(problem(&refusal)["violated-policies"], json!([name]));
    }
    let shortest = Limit::new(5, Duration::from_nanos(1)).unwrap();
    let fields = fields(&RateLimitFields::from(&limiter("api", &[shortest]).try_acquire().unwrap()));
    assert_eq!(list(&fields["ratelimit-policy"])[0].get("w"), 1);
}

/// A string in a structured field has no place for these: they are written as in a URL, and the same in the body.
#[test]
fn f95_names_that_are_not_ascii_are_written_as_in_a_url() {
    for (name, written) in
        [("josé", "jos%C3%A9"), ("a\nb\u{7f}", "a%0Ab%7F"), ("50%", "50%25"), ("🦀", "%F0%9F%A6%80")]
    {
        let refusal = too_early(name, Limit::per_minute(1), Duration::from_secs(1));
        let fields = fields(&RateLimitFields::from(&refusal));
        assert_eq!(list(&fields["ratelimit-policy"])[0].name, written);
        assert_eq!(list(&fields["ratelimit"])[0].name, written);
        assert_eq!(problem(&refusal)["violated-policies"], json!([written]));
    }
}

#[test]
fn what_is_left_is_said_also_where_it_was_not_enough() {
    let limiter = limiter("megabytes", &[Limit::per_minute(10)]);
    assert!(limiter.check_n(7).is_ok());
    let refusal = limiter.check_n(5).unwrap_err();
    let fields = fields(&RateLimitFields::from(&refusal));
    assert_eq!(list(&fields["ratelimit"]), [Member::new("megabytes", [("r", 3), ("t", 60)])]);
}

#[test]
fn what_can_never_fit_has_no_retry_time() {
    let refusal = limiter("megabytes", &[Limit::per_minute(10)]).check_n(11).unwrap_err();
    assert_eq!(refusal.reason(), Reason::NeverFits);
    let fields = fields(&RateLimitFields::from(&refusal));
    assert!(!fields.contains_key("retry-after") && !fields.contains_key("ratelimit"));
    assert_eq!(list(&fields["ratelimit-policy"]), [Member::new("megabytes", [("q", 10), ("w", 60)])]);
    assert_eq!(problem(&refusal)["violated-policies"], json!(["megabytes"]));
}

#[test]
fn what_is_the_servers_fault_is_no_quota() {
    static NONE: Limiter = Limiter::all_of("nothing", &[]);
    static CROWDED: KeyedLimiter = KeyedLimiter::new("crowded", Limit::per_hour(1)).with_max_keys(0);
    for refusal in [NONE.check().unwrap_err(), CROWDED.check("me").unwrap_err()] {
        let fields = fields(&RateLimitFields::from(&refusal).x_rate_limit());
        assert_eq!(fields.len(), 1, "{fields:?}");
        assert_eq!(fields["cache-control"], "no-store");
        assert_eq!(
            problem(&refusal),
            json!({
                "type": "about:blank",
                "title": "Too Many Requests",
                "status": 429,
                "detail": "Too many requests, please try again later.",
            })
        );
    }
}

#[test]
fn older_fields_are_written_on_request() {
    let refusal = too_early("search", Limit::per_minute(5), Duration::from_millis(11_400));
    let seven = fields(&RateLimitFields::from(&refusal).syntax(FieldSyntax::Draft07));
    assert_eq!(seven["ratelimit-policy"], "5;w=60");
    let limit = [("limit", 5), ("remaining", 0), ("reset", 12)].map(|(key, value)| (key.to_owned(), value));
    assert_eq!(dictionary(&seven["ratelimit"]), limit);
    assert_eq!(seven["retry-after"], "12");

    let more = fields(&RateLimitFields::from(&refusal).x_rate_limit());
    assert_eq!(more["x-ratelimit-limit"], "5");
    assert_eq!(more["x-ratelimit-remaining"], "0");
    assert_eq!(more["x-ratelimit-reset"], "12");
    assert!(more.contains_key("ratelimit") && more["retry-after"] == "12");
    // A response has the fields that were asked for.
    assert_eq!(fields(&TooManyRequests::from(refusal.clone()).x_rate_limit().fields()), more);
    assert_eq!(fields(&TooManyRequests::from(refusal).syntax(FieldSyntax::Draft07).fields()), seven);
}

fn problem(refusal: &RateLimitExceeded) -> Value {
    serde_json::from_str(&TooManyRequests::from(refusal.clone()).body()).expect("it is JSON")
}

#[test]
fn the_response_is_a_problem() {
    let refusal = too_early("search", Limit::per_minute(5), Duration::from_secs(12));
    let response: http::Response<String> = TooManyRequests::from(refusal.clone()).into_http();
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    assert_eq!(response.headers()["retry-after"], "12");
    assert_eq!(response.headers().len(), 5);
    let body: Value = serde_json::from_str(response.body()).expect("it is JSON");
    assert_eq!(
        body,
        json!({
            "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
            "title": "Request cannot be satisfied as assigned quota has been exceeded",
            "status": 429,
            "detail": "Too many requests, please try again later.",
            "violated-policies": ["search"],
        })
    );

    let error = TooManyRequests::from(refusal.clone());
    assert_eq!(error.to_string(), refusal.to_string());
    assert_eq!(format!("{error:#}"), format!("{refusal:#}"));
    assert_eq!(error.refusal(), &refusal);
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn f92_each_answer_has_the_numbers_of_its_own_decision() {
    // A thousand at one instant, and the clock moves: who is refused later waits less.
    let limiter = limiter("api", &[Limit::per_minute(1)]);
    assert!(limiter.check().is_ok());
    let clock: &Manual = limiter.clock();
    for waited in 0..60 {
        let refusals: Vec<_> = (0..17).map(|_| limiter.check().expect_err("it is full")).collect();
        clock.advance(Duration::from_secs(1));
        for refusal in refusals {
            assert_eq!(retry_after(&refusal), (60 - waited).to_string());
        }
    }
    assert!(limiter.check().is_ok());
}

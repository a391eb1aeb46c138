//! What a refused call gets in its hands.

use std::time::Duration;

use windowlimit::{KeyedLimiter, Limit, Limiter, ManualClock, Permit, RateLimitExceeded, Reason};

fn refusal(name: &'static str, limit: Limit) -> RateLimitExceeded {
    let limiter =
        Limiter::builder().name(name).limit(limit).clock(ManualClock::new()).build().expect("it has a limit");
    loop {
        if let Err(refusal) = limiter.check() {
            return refusal;
        }
    }
}

#[test]
fn it_says_everything_about_a_full_window() {
    let refusal = refusal("login", Limit::per_minute(5));
    assert_eq!(refusal.name(), "login");
    assert_eq!(refusal.limit(), 5);
    assert_eq!(refusal.window(), Duration::from_secs(60));
    assert_eq!(refusal.retry_after(), Some(Duration::from_secs(60)));
    assert_eq!(refusal.reason(), Reason::WindowFull);
    assert_eq!(refusal.to_string(), "Too many requests, please try again later.");
    assert_eq!(
        format!("{refusal:#}"),
        "Too many requests, please try again later. (`login` admits 5 per 1m; the next fits in 1m)"
    );
    assert_eq!(
        format!("{refusal:?}"),
        "RateLimitExceeded { name: \"login\", limit: 5, window: 60s, retry_after: Some(60s), reason: WindowFull, decider: Process }"
    );
}

#[test]
fn it_tells_people_the_retry_time_in_milliseconds_and_programs_in_nanoseconds() {
    let clock = ManualClock::new();
    let limiter = Limiter::builder().name("login").limit(Limit::per_minute(1)).clock(&clock).build().unwrap();
    assert!(limiter.check().is_ok());
    clock.advance(Duration::from_nanos(1));
    let refusal = limiter.check().unwrap_err();
    assert_eq!(refusal.retry_after(), Some(Duration::from_secs(60) - Duration::from_nanos(1)));
    assert!(format!("{refusal:#}").ends_with("the next fits in 1m)"), "{refusal:#}");
    clock.advance(Duration::from_secs(60) - Duration::from_nanos(500));
    assert!(format!("{:#}", limiter.check().unwrap_err()).ends_with("the next fits in 499ns)"));
}

#[test]
fn it_has_no_retry_time_when_the_call_can_never_fit() {
    let refusal = refusal("closed", Limit::per_minute(0));
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::NeverFits, None));
    assert_eq!(refusal.to_string(), "Too many requests, please try again later.");
    assert!(format!("{refusal:#}").ends_with("(`closed` admits 0 per 1m; this call can never fit)"));
}

#[test]
fn it_says_what_is_wrong_with_a_misconfigured_limiter() {
    static NONE: Limiter = Limiter::all_of("nothing", &[]);
    let refusal = NONE.check().unwrap_err();
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::Misconfigured, None));
    assert_eq!((refusal.limit(), refusal.window()), (0, Duration::ZERO));
    assert_eq!(
        format!("{refusal:#}"),
        "Too many requests, please try again later. (`nothing` is misconfigured and refuses every call: wanted at \
         least one limit, found none)"
    );
    assert!(NONE.try_acquire().is_err());
    assert_eq!(NONE.usage().remaining(), 0);
    assert!(NONE.limits().is_empty());
}

#[test]
fn it_is_small_and_goes_everywhere() {
    fn goes_everywhere<T: std::error::Error + Clone + Eq + Send + Sync + 'static>() {}
    goes_everywhere::<RateLimitExceeded>();
    assert!(size_of::<RateLimitExceeded>() <= 64);
}

#[test]
fn names_made_at_run_time_read_like_others() {
    let limiter = Limiter::builder().name(format!("tenant {}", 7)).limit(Limit::per_hour(0)).build().unwrap();
    assert_eq!(limiter.name(), "tenant 7");
    assert_eq!(limiter.check().unwrap_err().name(), "tenant 7");
    assert_eq!(
        format!("{limiter:?}"),
        "Limiter { name: \"tenant 7\", limits: [Limit(0/1h)], usage: Usage { limit: Limit(0/1h), live: 0, \
         remaining: 0, reset_after: 0ns }, waiting: 0, .. }"
    );
}

#[test]
fn a_permit_shows_what_its_own_decision_left() {
    let limiter =
        Limiter::builder().name("door").limit(Limit::per_hour(3)).clock(ManualClock::new()).build().unwrap();
    let permits: Vec<_> = (0..3).map(|_| limiter.try_acquire().unwrap()).collect();
    assert_eq!(permits.iter().map(Permit::remaining).collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(permits[0].name(), "door");
    assert_eq!(
        format!("{:?}", permits[2]),
        "Permit { limiter: \"door\", cost: 1, remaining: 0, reset_after: 3600s }"
    );
}

#[test]
fn it_names_no_limits_where_there_are_none() {
    static NONE: Limiter = Limiter::all_of("nothing", &[]);
    static CROWDED: KeyedLimiter = KeyedLimiter::new("crowded", Limit::per_hour(1)).with_max_keys(0);
    for refusal in [NONE.check().unwrap_err(), CROWDED.check("me").unwrap_err()] {
        assert!(refusal.limits().is_empty());
        assert_eq!((refusal.limit(), refusal.remaining()), (0, 0));
    }
}

//! A crate that uses windowlimit, and knows nothing of the features that others switch on: this file is part of a test with
//! those features and of one without.

use std::{
    panic::{RefUnwindSafe, UnwindSafe},
    time::Duration,
};

use windowlimit::{
    KeyedLimiter, Limit, Limiter, ManualClock, Permit, RateLimitExceeded, SystemClock, Usage,
    window_rate_limit,
};

/// Whatever a user may have relied on.
fn is_ordinary<T: Send + Sync + Unpin + 'static>() {}
fn outlives_a_panic<T: UnwindSafe + RefUnwindSafe>() {}

#[window_rate_limit(limit = 2, window = "1h")]
fn limited() -> Result<u32, RateLimitExceeded> {
    Ok(1)
}

#[window_rate_limit(limit = 2, window = "1h", key = user, permit = permit)]
fn of_a_key(user: &str) -> Result<u32, RateLimitExceeded> {
    Ok(permit.remaining())
}

// In places where only what is `const` may stand.
static LIMITER: Limiter = Limiter::new("third", Limit::per_hour(2));
static KEYED: KeyedLimiter = KeyedLimiter::new("third", Limit::per_hour(1));

#[test]
fn f97_features_of_others_change_no_type_and_no_call() {
    // Types of functions, written out.
    let check: fn(&Limiter) -> Result<(), RateLimitExceeded> = Limiter::check;
    let acquire: for<'l> fn(&'l Limiter) -> Result<Permit<'l, SystemClock>, RateLimitExceeded> =
        Limiter::try_acquire;
    let check_key: fn(&KeyedLimiter, &str) -> Result<(), RateLimitExceeded> = KeyedLimiter::check;
    let usage: fn(&Limiter) -> Usage = Limiter::usage;
    assert!(check(&LIMITER).is_ok());
    assert_eq!(acquire(&LIMITER).map(|permit| permit.remaining()), Ok(0));
    assert_eq!(usage(&LIMITER).live(), 2);
    assert!(check(&LIMITER).is_err());
    assert!(check_key(&KEYED, "ann").is_ok() && check_key(&KEYED, "ann").is_err());
    assert!(limited().is_ok() && limited().is_ok() && limited().is_err());
    assert_eq!([of_a_key("ann").ok(), of_a_key("ann").ok(), of_a_key("ann").ok()], [Some(1), Some(0), None]);

    is_ordinary::<Limiter>();
    is_ordinary::<KeyedLimiter>();
    is_ordinary::<Permit<'static>>();
    is_ordinary::<RateLimitExceeded>();
    outlives_a_panic::<Limiter>();
    outlives_a_panic::<RateLimitExceeded>();
    // A refusal is passed through every layer of a service.
    assert!(size_of::<RateLimitExceeded>() <= 64);

    // To the nanosecond as ever.
    let clock = ManualClock::new();
    let limiter = Limiter::with_clock("exact", &[const { Limit::per_minute(1) }], &clock);
    assert!(limiter.check().is_ok());
    clock.advance(Duration::from_secs(60) - Duration::from_nanos(1));
    assert_eq!(limiter.check().unwrap_err().retry_after(), Some(Duration::from_nanos(1)));
    clock.advance(Duration::from_nanos(1));
    assert!(limiter.check().is_ok());
}

//! A client that comes back when it is told to is admitted at the first try.

use std::time::Duration;

use windowlimit::{Algorithm, Limit, Limiter, RateLimitFields};

use windowlimit_tests::fields::{Manual, fields, list};

/// A hundred refusals at instants of all kinds, obeyed by the second.
fn obey(limits: &[Limit], algorithm: Algorithm) {
    let clock = Manual::default();
    let limiter = Limiter::builder().limits(limits.iter().copied()).algorithm(algorithm).clock(clock.clone());
    let limiter = limiter.build().expect("it has limits");
    let mut random = fastrand::Rng::with_seed(11);
    let (mut obeyed, mut fitted) = (0, 0);
    while obeyed < 100 {
        clock.advance(Duration::from_nanos(random.u64(0..700_000_000)));
        let cost = random.u32(1..=3);
        let Err(refusal) = limiter.check_n(cost) else {
            fitted += 1;
            continue;
        };
        let fields = fields(&RateLimitFields::from(&refusal));
        let seconds: u64 = fields["retry-after"].parse().expect("it is in digits");
        assert!(seconds > 0);
        assert_eq!(list(&fields["ratelimit"])[0].get("t"), i64::try_from(seconds).expect("it is short"));
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(limiter.check_n(cost), Ok(()), "after {seconds} s, {algorithm:?}");
        obeyed += 1;
    }
    assert!(fitted > 0, "not everything was refused");
}

#[test]
fn f89_whoever_obeys_is_admitted_at_the_first_try_a_hundred_times_of_a_hundred() {
    let limits = [Limit::per_minute(10), Limit::new(4, Duration::from_millis(2_500)).expect("it is a limit")];
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(7), Algorithm::Fixed] {
        obey(&limits[..1], algorithm);
        obey(&limits, algorithm);
    }
}

//! Keys of one limiter that are many, or are asked in more ways than one.

use std::time::Duration;

use windowlimit::{Algorithm, KeyedLimiter, Limit, ManualClock, RateLimitExceeded};

/// From the first key to the last, each has had what its limit says: through the call that spreads the keys, through every
/// growth, and while idle ones are given back.
#[test]
fn keys_keep_their_windows_while_the_table_grows_and_is_spread() {
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed] {
        let clock = ManualClock::new();
        let limiter = KeyedLimiter::builder().limit(Limit::per_hour(2)).algorithm(algorithm).clock(&clock);
        let limiter = limiter.build().expect("it has a limit");
        let is_used_up = |key: u64| limiter.usage(&key).remaining() == 0 && limiter.check(&key).is_err();
        for key in 0..20_000_u64 {
            assert!(limiter.check(&key).is_ok() && limiter.check(&key).is_ok(), "{key}, {algorithm:?}");
            assert!(is_used_up(key) && is_used_up(key / 2), "{key}, {algorithm:?}");
            // About where they are spread, all.
            if (2_040..2_060).contains(&key) {
                assert!((0..=key).all(is_used_up), "{key}, {algorithm:?}");
            }
            assert_eq!(limiter.len() as u64, key + 1);
        }
        assert!((0..20_000).all(is_used_up) && limiter.remove(&7_u64) && limiter.len() == 19_999);
        limiter.reset();
        assert!(limiter.is_empty());
        assert!((0..5_000_u64).all(|key| limiter.check(&key).is_ok()));
        assert!((0..5_000_u64).all(|key| limiter.usage(&key).live() == 1));
    }
}

/// A call that asks for no permit goes a shorter way, and so does one without limits of its own.
#[test]
fn all_ways_to_ask_decide_alike() {
    type Ask = fn(&KeyedLimiter<&ManualClock>, &Limit) -> Result<(), RateLimitExceeded>;
    let ways: [Ask; 5] = [
        |limiter, _| limiter.check("a"),
        |limiter, _| limiter.check_n("a", 1),
        |limiter, _| limiter.try_acquire("a").map(drop),
        |limiter, _| limiter.try_acquire_n("a", 1).map(drop),
        |limiter, &limit| limiter.check_for("a", &[limit], 1),
    ];
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut admitted, mut refused) = (0, 0);
    for _ in 0..400 {
        let clock = ManualClock::new();
        let mut limit = Limit::new(rng.u32(1..9), Duration::from_nanos(rng.u64(1..40))).expect("above zero");
        let limiters = ways.map(|_| {
            let limiter = KeyedLimiter::builder().limit(limit).clock(&clock);
            limiter.build().expect("it has a limit")
        });
        // Where it goes back, what other limits forget depends on what a window has dropped already.
        let goes_back = rng.bool();
        for step in 0..500 {
            let ahead = if goes_back && rng.bool() { rng.u64(..20) } else { 0 };
            clock.set(1_000_000 + ahead + step * 2);
            if !goes_back && rng.u8(..100) == 0 {
                limit = Limit::new(rng.u32(1..9), Duration::from_nanos(rng.u64(1..40))).expect("above zero");
                for limiter in &limiters {
                    limiter.set_limits([limit]).expect("it is one");
                }
            }
            if rng.u8(..100) == 0 {
                for limiter in &limiters {
                    limiter.reset();
                }
            }
            let answers: Vec<_> = ways
                .iter()
                .zip(&limiters)
                .map(|(ask, limiter)| (ask(limiter, &limit), limiter.usage("a")))
                .collect();
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{limit:?}: {answers:?}");
            *if answers[0].0.is_ok() { &mut admitted } else { &mut refused } += 1;
        }
    }
    assert!(admitted > 20_000 && refused > 20_000, "{admitted} and {refused}");
}

/// What a permit says is the state right after it.
#[test]
fn a_permit_says_what_the_usage_says() {
    let mut rng = fastrand::Rng::with_seed(12);
    for max in 1..9 {
        let clock = ManualClock::new();
        let limiter = KeyedLimiter::builder().limit(Limit::per_second(max)).clock(&clock);
        let limiter = limiter.build().expect("it has a limit");
        let mut admitted = 0;
        for _ in 0..2_000 {
            clock.advance(Duration::from_millis(rng.u64(..1_500) / u64::from(max)));
            if let Ok(permit) = limiter.try_acquire(&max) {
                assert_eq!(permit.usage(), limiter.usage(&max));
                admitted += 1;
            }
        }
        assert!(admitted > 500, "{admitted}");
    }
}

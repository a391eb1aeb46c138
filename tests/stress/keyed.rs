//! Threads on keys that come and go under them.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{Algorithm, Clock, KeyedLimiter, Limit, ManualClock};

use super::Counted;

const KEYS: usize = 300;

/// In each phase all windows have just emptied: every call may be the one that gives back a key on which another is just
/// being decided. Each key gets what its limit says all the same.
#[test]
fn f25_f26_keys_are_given_back_under_the_threads_that_use_them() {
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed] {
        let limiter = KeyedLimiter::builder()
            .limit(Limit::per_second(2))
            .algorithm(algorithm)
            .max_keys(KEYS)
            .clock(Counted::new())
            .build()
            .expect("it has a limit");
        for phase in 0..40 {
            let admitted: Vec<AtomicU32> = (0..KEYS).map(|_| AtomicU32::new(0)).collect();
            thread::scope(|scope| {
                for thread in 0..4 {
                    let (limiter, admitted) = (&limiter, &admitted);
                    scope.spawn(move || {
                        let mut rng = fastrand::Rng::with_seed(phase * 4 + thread);
                        for _ in 0..KEYS * 4 {
                            let key = rng.usize(..KEYS);
                            if limiter.check(&key).is_ok() {
                                admitted[key].fetch_add(1, Ordering::Relaxed);
                            }
                        }
                        // Whatever was left out: now everybody has called often enough.
                        for (key, admitted) in admitted.iter().enumerate() {
                            for _ in 0..2 {
                                if limiter.check(&key).is_ok() {
                                    admitted.fetch_add(1, Ordering::Relaxed);
                                }
                            }
                        }
                    });
                }
            });
            for (key, admitted) in admitted.iter().enumerate() {
                assert_eq!(admitted.load(Ordering::Relaxed), 2, "key {key} in phase {phase}, {algorithm:?}");
            }
            assert!(limiter.len() <= KEYS);
            limiter.clock().time.advance(Duration::from_secs(2));
        }
        assert!(limiter.clock().now() > 0 && limiter.clock().turns.load(Ordering::Relaxed) > 100);
    }
}

#[test]
fn one_key_of_many_threads_gets_what_its_limit_says() {
    let limiter = KeyedLimiter::builder().limit(Limit::per_hour(50)).clock(Counted::new()).build();
    let limiter = limiter.expect("it has a limit");
    let admitted = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| {
                for _ in 0..10 {
                    admitted.fetch_add(u32::from(limiter.check("one").is_ok()), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!((admitted.into_inner(), limiter.len()), (50, 1));
}

/// Some threads bring the keys that are too many for the first shards, others ask for those that are there. Each key gets
/// what its limit says, in whichever shard it is.
#[test]
fn f26_keys_are_spread_under_the_threads_that_use_them() {
    const MOST: usize = 6_000;
    for round in 0..8 {
        let limiter = KeyedLimiter::builder().limit(Limit::per_hour(2)).clock(Counted::new()).build();
        let limiter = limiter.expect("it has a limit");
        let admitted: Vec<AtomicU32> = (0..MOST).map(|_| AtomicU32::new(0)).collect();
        let ask = |key: usize| {
            if limiter.check(&key).is_ok() {
                admitted[key].fetch_add(1, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    let mut rng = fastrand::Rng::with_seed(round * 4 + thread);
                    for key in 0..MOST {
                        ask(key);
                        ask(rng.usize(..=key));
                        ask(key);
                    }
                });
            }
        });
        assert!(admitted.iter().all(|admitted| admitted.load(Ordering::Relaxed) == 2), "round {round}");
        assert_eq!(limiter.len(), MOST);
        assert!(limiter.clock().turns.load(Ordering::Relaxed) > 4, "threads were seen to take turns");
    }
}

/// Two keys are idle, and stand so far apart that a call at the bound finds only one of them. Who found it has its room, also
/// where another comes before it is back.
#[test]
fn f55_who_makes_room_at_the_bound_has_it() {
    // As many as a call at the bound looks at.
    const LIVE: usize = 16;
    const KEYS: usize = 2 * (LIVE + 1);
    let is_idle = |key: &usize| key.is_multiple_of(LIVE + 1);
    for round in 0..2_000 {
        let clock = ManualClock::new();
        let limiter = KeyedLimiter::builder().limit(Limit::per_second(2)).max_keys(KEYS).clock(&clock);
        let limiter = limiter.build().expect("it has a limit");
        assert!((0..KEYS).all(|key| limiter.check(&key).is_ok()));
        clock.advance(Duration::from_millis(900));
        assert!((0..KEYS).filter(|key| !is_idle(key)).all(|key| limiter.check(&key).is_ok()));
        clock.advance(Duration::from_millis(100));
        let start = Barrier::new(2);
        thread::scope(|scope| {
            for key in [KEYS, KEYS + 1] {
                let (limiter, start) = (&limiter, &start);
                scope.spawn(move || {
                    start.wait();
                    assert_eq!(limiter.check(&key), Ok(()), "key {key} in round {round}");
                });
            }
        });
        assert_eq!(limiter.len(), KEYS);
    }
}

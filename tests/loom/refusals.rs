//! Refusals that do without a look at the window, and without the exact time.

use std::sync::Arc;

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use windowlimit::{Clock, Latest, Limiter, Sleep};

use super::{ModelClock, model, per};

/// A clock that says as well, in another step, how late it may be.
struct Hasty(ModelClock);

impl Clock for Hasty {
    fn now(&self) -> u64 {
        self.0.now()
    }

    fn sleep_until(&self, _: u64) -> Sleep<'_> {
        Sleep::new(std::future::pending())
    }

    fn latest(&self) -> Option<Latest> {
        Some(Latest::of_model(self.0.now()))
    }
}

type Modelled = Arc<Limiter<Arc<Hasty>>>;

/// So many in ten, a nanosecond apart, which are used up.
fn used_up(max: u32) -> (Modelled, Arc<Hasty>) {
    let clock = Arc::new(Hasty(ModelClock(AtomicU64::new(1_000), Ordering::Relaxed)));
    let limiter =
        Limiter::builder().limit(per(max, 10)).clock(clock.clone()).build().expect("it has a limit");
    for _ in 0..max {
        assert!(limiter.check().is_ok());
        clock.0.advance(1);
    }
    (Arc::new(limiter), clock)
}

/// And the window is known to be full.
fn known_full(max: u32) -> (Modelled, Arc<Hasty>) {
    let (limiter, clock) = used_up(max);
    assert!(limiter.check().is_err());
    (limiter, clock)
}

fn admitted(limiter: &Modelled, calls: usize) -> usize {
    (0..calls).filter(|_| limiter.check().is_ok()).count()
}

/// Nobody is refused what is free, and nobody is admitted to what is not, while time passes and others are admitted.
fn time_passes(max: u32) {
    model(Some(3), move || {
        let (limiter, clock) = known_full(max);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                // To the very instant at which the last one leaves.
                clock.0.advance(9);
                admitted(&limiter, max as usize)
            })
        };
        let mine = admitted(&limiter, 1);
        let all = mine + other.join().expect("no panic");
        assert_eq!(all, max as usize, "all has left, and the last window is full");
    });
}

#[test]
fn time_passes_a_limit_of_one() {
    time_passes(1);
}

#[test]
fn time_passes_a_limit_of_two() {
    time_passes(2);
}

/// Whoever comes after a reset finds room.
#[test]
fn a_reset_comes_between() {
    model(Some(3), || {
        let (limiter, _) = known_full(2);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || {
                limiter.reset();
                admitted(&limiter, 2)
            })
        };
        let mine = admitted(&limiter, 1);
        let all = mine + other.join().expect("no panic");
        assert_eq!(all, 2, "the new window is full");
    });
}

/// What is learned of a window is not told of the next one.
#[test]
fn a_refusal_meets_a_reset() {
    model(Some(3), || {
        let (limiter, _) = used_up(2);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || admitted(&limiter, 1))
        };
        limiter.reset();
        let mine = admitted(&limiter, 1);
        let theirs = other.join().expect("no panic");
        assert_eq!(mine + theirs + admitted(&limiter, 2), 2, "the new window is full");
    });
}

/// What was known is over with the next admission, after which time stands still until the clock has come there again.
#[test]
fn the_clock_goes_back_behind_an_admission() {
    model(Some(3), || {
        let (limiter, clock) = known_full(2);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.0.advance(9);
                admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 1);
        let theirs = other.join().expect("no panic");
        assert_eq!(theirs, 1, "both have left");
        clock.0.set(1_005);
        assert_eq!(mine + theirs + admitted(&limiter, 2), 2, "the last window is full");
    });
}

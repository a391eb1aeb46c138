//! Fixed windows: one word for one limit, a lock for several.

use std::sync::Arc;

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use windowlimit::{Algorithm, Limit};

use super::{ModelClock, Modelled, admitted, elsewhere, model, per, together, with_algorithm};

fn fixed(limits: &[Limit]) -> (Modelled, Arc<ModelClock>) {
    let clock = Arc::new(ModelClock(AtomicU64::new(1_000), Ordering::Relaxed));
    with_algorithm(Algorithm::Fixed, clock, limits)
}

#[test]
fn one_unit_for_three_threads() {
    model(Some(3), || {
        let (limiter, clock) = fixed(&[per(1, 10)]);
        assert_eq!(together(&limiter, &[1, 1], 1), 1);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 2), 1);
    });
}

/// A window ends while both decide: whoever is late is counted in the next one.
#[test]
fn a_window_ends() {
    model(Some(3), || {
        let (limiter, clock) = fixed(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(9);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(1);
                admitted(&limiter, 2)
            })
        };
        let mine = admitted(&limiter, 1);
        let theirs = other.join().expect("no panic");
        assert!(mine == 1 && theirs == 2 || mine + theirs == 2, "{mine} and {theirs}");
    });
}

/// The clock goes back behind the start of a window: it stays open.
#[test]
fn the_clock_goes_back() {
    model(Some(3), || {
        let (limiter, clock) = fixed(&[per(1, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(10);
        let other = elsewhere(&limiter, 1);
        let first = admitted(&limiter, 1);
        clock.set(995);
        let mine = first + admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 1);
        let refusal = limiter.check().expect_err("it is full");
        assert!(refusal.retry_after() >= Some(std::time::Duration::from_nanos(25)), "{refusal:?}");
    });
}

/// What is admitted then is of the open window, and can be given back.
#[test]
fn a_refund_after_the_clock_went_back() {
    model(Some(3), || {
        let (limiter, clock) = fixed(&[per(3, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.set(995);
        let other = elsewhere(&limiter, 1);
        limiter.try_acquire().expect("there is room").refund();
        assert_eq!(other.join().expect("no panic"), 1);
        assert_eq!(limiter.usage().live(), 2);
    });
}

#[test]
fn two_limits_are_one_decision() {
    model(Some(2), || {
        let (limiter, clock) = fixed(&[per(1, 10), per(2, 100)]);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.advance(10);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.advance(10);
        assert_eq!(together(&limiter, &[1], 1), 0, "the longer window is full");
    });
}

#[test]
fn a_change_meets_claims() {
    changes([per(3, 10)], [per(2, 10)]);
}

#[test]
fn a_change_meets_the_claims_of_two_limits() {
    changes([per(3, 10), per(9, 90)], [per(2, 10), per(9, 90)]);
}

fn changes<const N: usize>(before: [Limit; N], after: [Limit; N]) {
    model(Some(2), move || {
        let (limiter, clock) = fixed(&before);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || limiter.set_limits(after).expect("they are limits"))
        };
        let mine = admitted(&limiter, 2);
        other.join().expect("no panic");
        assert!(mine == 1 || mine == 2, "{mine}");
        assert_eq!(limiter.usage().live() as usize, 1 + mine);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 3), 2);
    });
}

#[test]
fn a_refund_meets_a_claim() {
    model(Some(3), || {
        let (limiter, _) = fixed(&[per(2, 10)]);
        let permit = limiter.try_acquire().expect("it is empty");
        let other = elsewhere(&limiter, 2);
        permit.refund();
        let theirs = other.join().expect("no panic");
        assert!(theirs == 1 || theirs == 2, "{theirs}");
        assert_eq!(limiter.usage().live() as usize, theirs);
    });
}

/// A word with the largest limit has room for four seconds: the next window needs another word, and two come at once.
#[test]
fn the_numbers_run_out() {
    model(Some(2), || {
        let (limiter, clock) = fixed(&[per(u32::MAX, 5_000_000_000)]);
        assert!(limiter.check_n(u32::MAX).is_ok());
        clock.advance(5_000_000_000);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || limiter.check_n(u32::MAX).is_ok())
        };
        let mine = limiter.check_n(u32::MAX).is_ok();
        assert!(mine != other.join().expect("no panic"), "one of them gets all");
    });
}

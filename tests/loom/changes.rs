//! Changes of a limiter under the calls of others: other limits, a reset, a cost, a unit that is given back.

use std::{sync::Arc, time::Duration};

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use windowlimit::{Algorithm, Limit};

use super::{ModelClock, Modelled, admitted, elsewhere, limiter, model, per, together, with_algorithm};

/// Two segments, the clock at the start of one. Who reads a later time on it has seen what came before.
fn in_segments(limits: &[Limit]) -> (Modelled, Arc<ModelClock>) {
    let clock = ModelClock(AtomicU64::new(1_000 - 1), Ordering::AcqRel);
    with_algorithm(Algorithm::Segmented(2), Arc::new(clock), limits)
}

/// Another thread changes the limiter, while this one makes calls; how many of these were admitted.
fn meanwhile(limiter: &Modelled, calls: usize, change: impl FnOnce(&Modelled) + Send + 'static) -> usize {
    let other = {
        let limiter = limiter.clone();
        thread::spawn(move || change(&limiter))
    };
    let admitted = admitted(limiter, calls);
    other.join().expect("no panic");
    admitted
}

#[test]
fn a_lowered_limit_meets_claims() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(3, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        let mine = meanwhile(&limiter, 2, |limiter| limiter.set_limits([per(2, 10)]).expect("it is one"));
        assert!(mine == 1 || mine == 2, "{mine}");
        let usage = limiter.usage();
        assert_eq!((usage.limit(), usage.live() as usize), (2, 1 + mine), "none is lost and none is doubled");
        assert_eq!(admitted(&limiter, 1), 0);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 3), 2);
    });
}

#[test]
fn a_raised_limit_meets_claims() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(1, 10)]);
        let mine = meanwhile(&limiter, 2, |limiter| limiter.set_limits([per(2, 20)]).expect("it is one"));
        assert!(mine == 1 || mine == 2, "{mine}");
        assert_eq!(admitted(&limiter, 2), 2 - mine);
        assert_eq!(limiter.usage().live(), 2);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 1), 0);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 3), 2);
    });
}

/// A caller that has already judged by the limits before is either admitted before the change or decides again.
#[test]
fn a_change_is_not_overtaken() {
    model(Some(3), || {
        let (limiter, _) = limiter(&[per(2, 10)]);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || {
                limiter.set_limits([per(1, 10)]).expect("it is one");
                // Whatever came before is here; nothing comes after it.
                let before = limiter.usage().live() as usize;
                let after = admitted(&limiter, 2);
                (before, after)
            })
        };
        let mine = admitted(&limiter, 2);
        let (before, after) = other.join().expect("no panic");
        assert!(before + after <= 1 || after == 0, "{before} before and {after} after in a limit of 1");
        assert_eq!(limiter.usage().live() as usize, mine + after);
    });
}

#[test]
fn two_changes_follow_each_other() {
    model(Some(2), || {
        let (limiter, _) = limiter(&[per(1, 10)]);
        let mine = meanwhile(&limiter, 1, |limiter| {
            limiter.set_limits([per(3, 10)]).expect("it is one");
            limiter.set_limits([per(2, 10)]).expect("it is one");
        });
        assert_eq!(mine, 1);
        assert_eq!(admitted(&limiter, 3), 1);
    });
}

#[test]
fn two_threads_change_at_once() {
    model(Some(3), || {
        let (limiter, _) = limiter(&[per(3, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || limiter.set_limits([per(2, 10)]).expect("it is one"))
        };
        limiter.set_limits([per(4, 10)]).expect("it is one");
        other.join().expect("no panic");
        assert_eq!(limiter.usage().live(), 1);
        let most = limiter.limits()[0].max() as usize;
        assert_eq!(admitted(&limiter, 5), most - 1);
    });
}

/// The circle of two is full: a claim wants it to grow while it is given up.
#[test]
fn a_change_meets_a_growth() {
    model(Some(2), || {
        let (limiter, _) = limiter(&[per(4, 10)]);
        assert_eq!(admitted(&limiter, 2), 2);
        let mine = meanwhile(&limiter, 1, |limiter| limiter.set_limits([per(3, 10)]).expect("it is one"));
        assert_eq!(mine, 1);
        assert_eq!(limiter.usage().live(), 3);
        assert_eq!(admitted(&limiter, 1), 0);
    });
}

#[test]
fn a_cost_meets_a_claim() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(3, 10)]);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || limiter.check_n(2).is_ok())
        };
        let mine = admitted(&limiter, 2);
        let theirs = other.join().expect("no panic");
        assert!(mine + 2 * usize::from(theirs) <= 3);
        assert!(theirs || mine == 2, "{mine} left room for two");
        assert_eq!(limiter.usage().live() as usize, mine + 2 * usize::from(theirs));
        clock.advance(10);
        assert!(limiter.check_n(3).is_ok());
    });
}

#[test]
fn a_refund_meets_a_claim() {
    model(Some(3), || {
        let (limiter, _) = limiter(&[per(2, 10)]);
        let permit = limiter.try_acquire().expect("it is empty");
        let other = elsewhere(&limiter, 2);
        permit.refund();
        let theirs = other.join().expect("no panic");
        assert!(theirs == 1 || theirs == 2, "{theirs}");
        assert_eq!(limiter.usage().live() as usize, theirs);
        assert_eq!(admitted(&limiter, 2), 2 - theirs);
    });
}

#[test]
fn a_reset_meets_a_claim() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(1, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(5);
        let mine = meanwhile(&limiter, 1, |limiter| limiter.reset());
        assert_eq!(mine + admitted(&limiter, 2), 1);
        assert_eq!(limiter.usage().reset_after(), Duration::from_nanos(10));
    });
}

#[test]
fn a_lowered_limit_meets_claims_in_segments() {
    model(Some(2), || {
        let (_, clock) = limiter(&[per(1, 1)]);
        let (limiter, clock) = with_algorithm(Algorithm::Segmented(2), clock, &[per(3, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(5);
        let mine = meanwhile(&limiter, 2, |limiter| limiter.set_limits([per(2, 10)]).expect("it is one"));
        assert!(mine == 1 || mine == 2, "{mine}");
        assert_eq!(limiter.usage().live() as usize, 1 + mine);
        assert_eq!(admitted(&limiter, 1), 0);
        clock.advance(15);
        assert_eq!(admitted(&limiter, 3), 2);
    });
}

/// A caller is about to publish the mark of a segment that has just begun, while the window is closed.
#[test]
fn a_change_meets_the_mark_of_a_new_segment() {
    model(Some(3), || {
        let (limiter, clock) = in_segments(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(5);
                admitted(&limiter, 1)
            })
        };
        limiter.set_limits([per(2, 10)]).expect("it is one");
        let theirs = other.join().expect("no panic");
        assert_eq!(theirs, 1, "the first has left");
        assert_eq!(limiter.usage().live(), 2);
    });
}

/// What has expired for the limits before does not count again for longer ones, also if the clock goes back.
#[test]
fn what_has_left_does_not_come_back() {
    model(Some(2), || {
        let (limiter, clock) = limiter(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(10);
        let mine = meanwhile(&limiter, 1, |limiter| limiter.set_limits([per(2, 20)]).expect("it is one"));
        assert_eq!(mine, 1);
        assert_eq!(limiter.usage().live(), 1);
        clock.set(1_005);
        assert_eq!(admitted(&limiter, 2), 1);
        assert_eq!(limiter.usage().reset_after(), Duration::from_nanos(25));
    });
}

#[test]
fn what_has_left_does_not_come_back_in_segments() {
    model(Some(2), || {
        let (limiter, clock) = in_segments(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(15);
        let mine = meanwhile(&limiter, 1, |limiter| limiter.set_limits([per(2, 40)]).expect("it is one"));
        assert_eq!(mine, 1);
        assert_eq!(limiter.usage().live(), 1);
    });
}

/// No decision is made before the change, also by who read the clock before it.
#[test]
fn no_decision_is_made_before_a_change() {
    model(Some(2), || {
        let (limiter, clock) = limiter(&[per(1, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(10);
        limiter.set_limits([per(1, 20)]).expect("it is one");
        clock.set(1_005);
        assert_eq!(together(&limiter, &[1], 1), 1);
        assert_eq!(limiter.usage().reset_after(), Duration::from_nanos(25), "it was entered at 1 010");
    });
}

/// A permit from before a reset gives back nothing of what came after it.
#[test]
fn a_refund_meets_a_reset() {
    model(Some(2), || refund_and_reset(&limiter(&[per(1, 10)]).0));
}

#[test]
fn a_refund_meets_a_reset_in_segments() {
    model(Some(2), || refund_and_reset(&in_segments(&[per(1, 10)]).0));
}

fn refund_and_reset(limiter: &Modelled) {
    let permit = limiter.try_acquire().expect("it is empty");
    let other = {
        let limiter = limiter.clone();
        thread::spawn(move || {
            limiter.reset();
            admitted(&limiter, 1)
        })
    };
    permit.refund();
    assert_eq!(other.join().expect("no panic"), 1);
    assert_eq!(admitted(limiter, 1), 0);
}

/// In other segments nobody can tell whose units they are: a permit from before gives nothing back.
#[test]
fn a_refund_meets_other_segments() {
    model(Some(2), || {
        let (limiter, _) = in_segments(&[per(2, 10)]);
        let permit = limiter.try_acquire().expect("it is empty");
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || {
                limiter.set_limits([per(1, 20)]).expect("it is one");
                limiter.usage().live()
            })
        };
        permit.refund();
        let before = other.join().expect("no panic");
        assert_eq!(limiter.usage().live(), before);
    });
}

/// The log is taken out of its lock under the calls of others.
#[test]
fn a_change_meets_the_claims_of_a_log() {
    model(Some(2), || {
        let (limiter, clock) = limiter(&[per(4, 10)]);
        assert!(limiter.check_n(2).is_ok());
        let mine = meanwhile(&limiter, 2, |limiter| limiter.set_limits([per(3, 10)]).expect("it is one"));
        assert!(mine == 1 || mine == 2, "{mine}");
        assert_eq!(limiter.usage().live() as usize, 2 + mine);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 4), 3);
    });
}

/// The first call of a new segment meets a change, on a clock that orders nothing: what it took is not forgotten.
#[test]
fn a_change_meets_a_claim_after_a_silence() {
    model(Some(3), || {
        let clock = ModelClock(AtomicU64::new(1_000 - 1), Ordering::Relaxed);
        let (limiter, clock) = with_algorithm(Algorithm::Segmented(2), Arc::new(clock), &[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(60);
        let mine = meanwhile(&limiter, 1, |limiter| limiter.set_limits([per(1, 10)]).expect("it is one"));
        assert_eq!(mine, 1);
        assert_eq!(limiter.usage().live(), 1);
    });
}

//! Segments: claims at one instant, a border that is passed under late callers, a long silence.

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use windowlimit::{Algorithm, Limit};

use super::{ModelClock, Modelled, admitted, model, per, together, with_algorithm};

/// Two segments of five nanoseconds, the clock at the start of one.
fn segmented(limits: &[Limit]) -> (Modelled, std::sync::Arc<ModelClock>) {
    on_clock(Ordering::Relaxed, limits)
}

fn on_clock(ordering: Ordering, limits: &[Limit]) -> (Modelled, std::sync::Arc<ModelClock>) {
    let clock = std::sync::Arc::new(ModelClock(AtomicU64::new(1_000 - 1), ordering));
    let (limiter, clock) = with_algorithm(Algorithm::Segmented(2), clock, limits);
    // It begins with its first call.
    assert!(limiter.check_n(0).is_ok());
    (limiter, clock)
}

#[test]
fn units_of_one_segment() {
    model(Some(3), || {
        let (limiter, _) = segmented(&[per(2, 10)]);
        assert_eq!(together(&limiter, &[1, 1], 1), 2);
        assert_eq!(limiter.usage().live(), 2);
    });
}

/// A border is passed while both decide. Whoever is late is counted in the newer segment.
#[test]
fn a_border_is_passed() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(5);
                admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 1);
        assert_eq!(limiter.usage().live(), 2);
        // The first segment leaves at 1 015; what came with the border stays as long as the next.
        clock.advance(10);
        let free = admitted(&limiter, 3);
        assert!(free == 1 || free == 2, "{free}");
        clock.advance(5);
        assert_eq!(admitted(&limiter, 3), 2 - free);
    });
}

/// The oldest segment leaves at the very border that is passed: nobody may take its place twice.
#[test]
fn units_leave_at_a_border() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(4);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(1);
                admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 1);
        let total = mine + other.join().expect("no panic");
        assert_eq!(total, 1, "one has left");
        assert_eq!(admitted(&limiter, 1), 0);
        assert_eq!(limiter.usage().live(), 2);
    });
}

/// One thread passes several borders with a call in each, and laps the marks, while another is stalled. On this clock, who
/// reads a later time has seen what was admitted before it: so nothing counts for longer than its segment.
#[test]
fn a_stalled_caller_is_lapped() {
    model(Some(2), || {
        let (limiter, clock) = on_clock(Ordering::AcqRel, &[per(1, 10)]);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || admitted(&limiter, 1))
        };
        let mut mine = 0;
        for _ in 0..2 {
            mine += admitted(&limiter, 1);
            clock.advance(15);
        }
        let theirs = other.join().expect("no panic");
        assert!(mine + theirs == 2 || mine + theirs == 3, "{mine} and {theirs}");
        // Whatever is live of these, the window is full after the next, and no more than that.
        let before = limiter.usage().live() as usize;
        assert_eq!(before + admitted(&limiter, 2), 1);
        assert_eq!(limiter.usage().live(), 1);
    });
}

/// Two threads come after a silence in which segments went by that nobody has seen.
#[test]
fn segments_that_nobody_saw() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 2), 2);
        clock.advance(40);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(5);
                admitted(&limiter, 2)
            })
        };
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic") + admitted(&limiter, 1), 2);
        assert_eq!(limiter.usage().live(), 2);
        clock.advance(10);
        let free = admitted(&limiter, 3);
        assert!(free <= 2);
        assert_eq!(limiter.usage().live(), 2);
    });
}

#[test]
fn two_limits_are_one_decision_in_segments() {
    model(Some(2), || {
        let (limiter, clock) = segmented(&[per(1, 10), per(2, 100)]);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.advance(15);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.advance(15);
        assert_eq!(together(&limiter, &[1], 1), 0, "the longer window is full");
    });
}

/// Others refuse while a border is passed; what is free is not withheld.
#[test]
fn a_refusal_is_right_when_it_is_given() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(1, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(15);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || admitted(&limiter, 1))
        };
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 1, "the unit has left, and one gets it");
    });
}

/// After a silence one thread is about to publish the marks of its segment, and the clock goes back behind that.
#[test]
fn the_clock_goes_back_under_a_publisher() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(1, 10)]);
        clock.advance(60);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || admitted(&limiter, 1))
        };
        clock.set(1_000 - 1 + 50);
        let mine = admitted(&limiter, 2);
        assert_eq!(mine + other.join().expect("no panic"), 1);
        assert_eq!(limiter.usage().live(), 1);
    });
}

/// The same, further back: the marks that are there already show that this caller is late.
#[test]
fn the_clock_goes_back_behind_all_marks() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(1, 10)]);
        clock.advance(60);
        let other = {
            let limiter = limiter.clone();
            thread::spawn(move || admitted(&limiter, 1))
        };
        clock.set(1_000 - 1 + 45);
        let mine = admitted(&limiter, 2);
        assert!(mine <= 1, "{mine}");
        other.join().expect("no panic");
        assert_eq!(limiter.usage().live(), 1);
    });
}

//! Segments: claims at one instant, a border that is passed under late callers, a long silence.

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use windowlimit::{Algorithm, Limit};

use super::{ModelClock, Modelled, admitted, elsewhere, model, per, together, with_algorithm};

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
        let other = elsewhere(&limiter, 1);
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
        let other = elsewhere(&limiter, 1);
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
        let other = elsewhere(&limiter, 1);
        clock.set(1_000 - 1 + 50);
        let mine = admitted(&limiter, 2);
        assert_eq!(mine + other.join().expect("no panic"), 1);
        assert_eq!(limiter.usage().live(), 1);
    });
}

/// The same, back to a segment that has its mark: whoever comes after the announcement is late, and what was taken since the
/// later time was read counts at it.
#[test]
fn the_clock_goes_back_behind_all_marks() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(1, 10)]);
        clock.advance(60);
        let other = elsewhere(&limiter, 1);
        clock.set(1_000 - 1);
        let mine = admitted(&limiter, 2);
        assert!(mine <= 1, "{mine}");
        other.join().expect("no panic");
        assert_eq!(limiter.usage().live(), 1);
    });
}

/// The marks of a segment are published the earliest first: who finds the newest there finds those before it.
#[test]
fn the_next_segment_begins_under_a_publisher() {
    model(Some(2), || {
        let (limiter, clock) = segmented(&[per(2, 10)]);
        clock.advance(60);
        let other = elsewhere(&limiter, 1);
        let mut mine = admitted(&limiter, 1);
        clock.advance(5);
        mine += admitted(&limiter, 2);
        assert_eq!(mine + other.join().expect("no panic"), 2);
    });
}

/// After a silence one thread publishes the marks of all segments that are live in its own, and stalls at one whose place is
/// that of the next segment, in which the other thread is admitted.
#[test]
fn a_stalled_publisher_is_lapped() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(1, 10)]);
        clock.advance(60);
        let other = elsewhere(&limiter, 1);
        clock.advance(5);
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 1);
        clock.advance(10);
        assert!(limiter.usage().live() as usize >= mine, "mine counts for a segment more");
    });
}

/// A caller that stalls sees marks of later totals than its own: what it makes of them is no answer.
#[test]
fn a_stalled_answer_is_looked_at_again() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(2, 10)]);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                let first = admitted(&limiter, 1);
                clock.advance(15);
                first + admitted(&limiter, 1)
            })
        };
        assert!(limiter.usage().live() <= 2);
        let permit = limiter.try_acquire_n(0).expect("it takes nothing");
        assert!(permit.usage().live() <= 2, "{permit:?}");
        assert_eq!(other.join().expect("no panic"), 2);
    });
}

#[test]
fn a_stalled_refusal_is_looked_at_again() {
    stalled_refusal(Ordering::AcqRel, 2);
}

/// The same on a clock that orders nothing; there are never more calls than units.
#[test]
fn a_refusal_has_seen_what_its_marks_were_taken_from() {
    stalled_refusal(Ordering::Relaxed, 3);
}

fn stalled_refusal(clock: Ordering, max: u32) {
    model(Some(3), move || {
        let (limiter, clock) = on_clock(clock, &[per(max, 10)]);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                let first = admitted(&limiter, 1);
                clock.advance(15);
                first + admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 3, "no window ever holds too many");
    });
}

/// What is live becomes less as time goes by, and never more, whoever publishes the marks.
#[test]
fn two_publishers_meet() {
    model(Some(3), || {
        let (limiter, clock) = segmented(&[per(3, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(10);
                admitted(&limiter, 1)
            })
        };
        admitted(&limiter, 1);
        clock.advance(5);
        admitted(&limiter, 1);
        other.join().expect("no panic");
        let mut live = limiter.usage().live();
        for _ in 0..4 {
            clock.advance(5);
            assert!(limiter.usage().live() <= live);
            live = limiter.usage().live();
        }
        assert_eq!(live, 0);
    });
}

/// On this clock, who reads a later time has seen what was admitted before it: that leaves with its own segment, also if
/// another publishes the next one.
#[test]
fn what_came_before_a_segment_leaves_before_it() {
    model(Some(3), || {
        let (limiter, clock) = on_clock(Ordering::AcqRel, &[per(3, 10)]);
        let other = elsewhere(&limiter, 1);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(5);
        assert_eq!(admitted(&limiter, 1), 1);
        assert_eq!(other.join().expect("no panic"), 1);
        clock.advance(10);
        let live = limiter.usage().live();
        assert!(live == 1 || live == 2, "mine of the first segment has left: {live}");
    });
}

/// The numbers of the segments run out under two callers.
#[test]
fn a_window_is_renewed() {
    model(Some(2), || {
        let (limiter, clock) = segmented(&[per(2, 10)]);
        clock.advance(((1 << 31) - 2 - 2) * 5);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(5);
        assert_eq!(together(&limiter, &[1], 1), 1);
        assert_eq!(limiter.usage().live(), 2);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 2), 1);
    });
}

/// One segment: a unit counts for up to two windows.
#[test]
fn one_segment_is_enough() {
    model(Some(3), || {
        let clock = std::sync::Arc::new(ModelClock(AtomicU64::new(1_000 - 1), Ordering::Relaxed));
        let (limiter, clock) = with_algorithm(Algorithm::Segmented(1), clock, &[per(1, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 1), 0);
        clock.advance(10);
        assert_eq!(together(&limiter, &[1, 1], 0), 1);
        clock.advance(19);
        assert_eq!(admitted(&limiter, 1), 0);
    });
}

/// Segments of different lengths, and a border of the shorter ones.
#[test]
fn borders_of_two_limits() {
    model(Some(2), || {
        let (limiter, clock) = segmented(&[per(1, 10), per(2, 30)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(14);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.advance(1);
                admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 1);
        clock.advance(15);
        assert_eq!(admitted(&limiter, 1), 0, "the longer window is full");
    });
}

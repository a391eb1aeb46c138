//! The ring: claims, refusals, usage, growth.

use std::{sync::Arc, time::Duration};

use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use super::{ModelClock, Modelled, admitted, elsewhere, limiter, model, on_clock, per, together};

#[test]
fn one_unit_for_two_threads() {
    model(None, || {
        let (limiter, _) = limiter(&[per(1, 10)]);
        assert_eq!(together(&limiter, &[1], 1), 1);
        assert_eq!(limiter.usage().remaining(), 0);
    });
}

#[test]
fn one_unit_for_three_threads() {
    model(Some(3), || {
        let (limiter, _) = limiter(&[per(1, 10)]);
        assert_eq!(together(&limiter, &[1, 1], 1), 1);
    });
}

#[test]
fn two_units_for_three_threads() {
    model(Some(2), || {
        let (limiter, _) = limiter(&[per(2, 10)]);
        assert_eq!(together(&limiter, &[1, 1], 1), 2);
        assert_eq!(limiter.usage().live(), 2);
    });
}

#[test]
fn two_units_for_two_threads_that_come_twice() {
    model(Some(3), || {
        let (limiter, _) = limiter(&[per(2, 10)]);
        assert_eq!(together(&limiter, &[2], 2), 2);
    });
}

/// The circle is full of what was, one unit has come free, and two threads want it.
#[test]
fn one_of_two_units_came_free() {
    model(None, || {
        let (limiter, clock) = limiter(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.set(1_002);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.set(1_010);
        assert_eq!(together(&limiter, &[1], 1), 1);
        assert_eq!(limiter.check().unwrap_err().retry_after(), Some(Duration::from_nanos(2)));
    });
}

/// Limits whose circle has three slots, of which the shorter one looks two back; what filled it has expired.
fn circle_of_three() -> (Modelled, Arc<ModelClock>) {
    let (limiter, clock) = limiter(&[per(2, 10), per(3, 30)]);
    assert_eq!(admitted(&limiter, 2), 2);
    clock.advance(10);
    assert_eq!(admitted(&limiter, 1), 1, "this needs a third slot");
    clock.advance(30);
    (limiter, clock)
}

fn circle_of_two() -> (Modelled, Arc<ModelClock>) {
    let (limiter, clock) = limiter(&[per(1, 10), per(2, 30)]);
    assert_eq!(admitted(&limiter, 1), 1);
    clock.advance(10);
    assert_eq!(admitted(&limiter, 1), 1);
    clock.advance(30);
    (limiter, clock)
}

/// One thread goes round the circle, all windows later each time, while another makes a call.
fn lapped((limiter, clock): (Modelled, Arc<ModelClock>), laps: usize) {
    let other = elsewhere(&limiter, 1);
    let mut total = 0;
    for _ in 0..laps {
        total += admitted(&limiter, 1);
        clock.advance(30);
    }
    total += other.join().expect("no panic");
    // Two in one window fit into the larger circle, and not into the other.
    let all = laps + 1;
    let fit = if limiter.limits()[0].max() == 1 { all - 1..=all } else { all..=all };
    assert!(fit.contains(&total), "{total} of {all}");
}

#[test]
fn a_stalled_caller_is_lapped_in_a_circle_of_two() {
    model(Some(3), || lapped(circle_of_two(), 3));
}

#[test]
fn a_stalled_caller_is_lapped_in_a_circle_of_three() {
    model(Some(2), || lapped(circle_of_three(), 4));
}

/// The newest admission comes with those before it: what stands further back is not older than it should be.
#[test]
fn a_look_back_is_as_fresh_as_the_newest() {
    model(Some(3), || {
        let (limiter, _) = circle_of_three();
        assert_eq!(together(&limiter, &[1, 1], 1), 2);
    });
}

/// A caller that stalls and is overtaken must not refuse by what it has read before and after.
#[test]
fn a_stalled_refusal_looks_again() {
    model(Some(3), || {
        let (limiter, clock) = circle_of_three();
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                let first = admitted(&limiter, 1);
                clock.advance(30);
                first + admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 1);
        assert_eq!(mine + other.join().expect("no panic"), 3, "no window ever holds three of them");
    });
}

/// Somebody is admitted every half window, so one or two are live at any time. Usage may be late by what is under way;
/// on this clock, who reads a later time has seen what was admitted before it.
#[test]
fn usage_never_mixes_two_states() {
    model(Some(3), || {
        let clock = ModelClock(AtomicU64::new(1_000), Ordering::AcqRel);
        let (limiter, clock) = on_clock(clock, &[per(2, 10), per(3, 15)]);
        assert_eq!(admitted(&limiter, 2), 2);
        clock.advance(10);
        assert_eq!(admitted(&limiter, 1), 1, "this needs a third slot");
        clock.advance(15);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                for _ in 0..3 {
                    clock.advance(5);
                    assert_eq!(admitted(&limiter, 1), 1);
                }
            })
        };
        assert!(limiter.usage().live() >= 1);
        other.join().expect("no panic");
    });
}

/// Time passes while others decide. Whatever was admitted on the way, in the end the last window is full and no more.
#[test]
fn time_passes_during_the_decisions() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 2), 2);
        clock.set(1_009);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.set(1_010);
                admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 2);
        let total = mine + other.join().expect("no panic");
        assert!(total <= 2);
        assert_eq!(total + admitted(&limiter, 3), 2);
        assert_eq!(limiter.usage().live(), 2);
    });
}

#[test]
fn two_limits_are_one_decision() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(1, 10), per(2, 100)]);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.advance(10);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.advance(10);
        assert_eq!(together(&limiter, &[1], 1), 0, "the longer window is full");
        clock.advance(80);
        assert_eq!(admitted(&limiter, 2), 1);
    });
}

/// The circle of two is full and all live: whoever comes next needs a larger one.
fn growth(max: u32, before: usize, others: &'static [usize], mine: usize) {
    model(Some(2), move || {
        let (limiter, clock) = limiter(&[per(max, 10)]);
        assert_eq!(admitted(&limiter, before), before);
        let calls = others.iter().sum::<usize>() + mine;
        let wanted = calls.min(max as usize - before);
        assert_eq!(together(&limiter, others, mine), wanted);
        assert_eq!(limiter.usage().live() as usize, before + wanted);
        assert_eq!(admitted(&limiter, max as usize + 1), max as usize - before - wanted);
        clock.advance(10);
        assert_eq!(admitted(&limiter, max as usize + 1), max as usize);
    });
}

#[test]
fn two_threads_want_to_grow_at_once() {
    growth(4, 2, &[1], 1);
}

#[test]
fn a_claim_meets_a_growth() {
    growth(4, 1, &[1], 2);
}

#[test]
fn the_last_unit_comes_with_a_growth() {
    growth(3, 2, &[1], 1);
}

#[test]
fn two_growths_follow_each_other() {
    growth(9, 7, &[1], 2);
}

/// A circle of two whose head is at the second place, both live, with room for one more in a larger circle.
fn moved_head() -> (Modelled, Arc<ModelClock>) {
    let (limiter, clock) = limiter(&[per(3, 10)]);
    for at in [1_000, 1_009, 1_010] {
        clock.set(at);
        assert_eq!(admitted(&limiter, 1), 1);
    }
    (limiter, clock)
}

#[test]
fn usage_meets_a_growth() {
    model(Some(3), || {
        let (limiter, _) = moved_head();
        let other = elsewhere(&limiter, 1);
        let usage = limiter.usage();
        assert!(usage.live() == 2 || usage.live() == 3, "{usage:?}");
        assert_eq!(usage.reset_after(), Duration::from_nanos(9));
        assert_eq!(other.join().expect("no panic"), 1);
    });
}

#[test]
fn a_growth_keeps_the_order() {
    model(Some(3), || {
        let (limiter, clock) = moved_head();
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.set(1_018);
        assert_eq!(admitted(&limiter, 1), 0);
        clock.set(1_019);
        assert_eq!(admitted(&limiter, 3), 1, "the oldest has left");
        clock.set(1_020);
        assert_eq!(admitted(&limiter, 3), 2);
    });
}

/// One caller finds the small circle full and grows it, to another its oldest admission has just expired.
#[test]
fn a_growth_takes_a_circle_in_which_room_appears() {
    model(Some(3), || {
        let (limiter, clock) = limiter(&[per(3, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.set(1_009);
        assert_eq!(admitted(&limiter, 1), 1);
        let other = {
            let (limiter, clock) = (limiter.clone(), clock.clone());
            thread::spawn(move || {
                clock.set(1_010);
                admitted(&limiter, 1)
            })
        };
        let mine = admitted(&limiter, 2);
        assert_eq!(mine + other.join().expect("no panic"), 2);
        assert_eq!(limiter.usage().live(), 3);
        assert_eq!(admitted(&limiter, 1), 0);
    });
}

/// The clock goes back. What is admitted then has the instant of the newest, and usage says what calls get.
#[test]
fn a_clock_that_goes_back_frees_nothing_early() {
    model(None, || {
        let (limiter, clock) = limiter(&[per(2, 10)]);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.set(995);
        assert_eq!(together(&limiter, &[1], 1), 1);
        clock.set(1_006);
        assert_eq!(limiter.usage().remaining(), 0);
        assert_eq!(admitted(&limiter, 1), 0);
        clock.set(1_010);
        assert_eq!(admitted(&limiter, 3), 2);
    });
}

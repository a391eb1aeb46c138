//! Futures that are dropped, wherever they are.

use std::time::Duration;

use windowlimit::{Algorithm, Limiter};
use windowlimit_tests::crowd::Crowd;

use super::{Manual, per};

/// In line, at the head, when they were woken, and by all of them at once: the units are there for the others, and never
/// are more than N taken in any window.
#[test]
fn whoever_leaves_takes_nothing_along() {
    for (seed, algorithm) in [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed]
        .into_iter()
        .cycle()
        .take(300)
        .enumerate()
    {
        let mut rng = fastrand::Rng::with_seed(seed as u64);
        let most = rng.u32(1..=4);
        let clock = Manual::default();
        let limiter = Limiter::builder().limit(per(most, 1_000)).algorithm(algorithm).clock(clock.clone());
        let limiter = limiter.build().expect("it is one");
        let mut crowd = Crowd::default();
        let (mut waiting, mut admitted) = (Vec::new(), Vec::new());
        for id in 0..200 {
            match crowd.enter(id, limiter.acquire().cost(rng.u32(1..=most))) {
                Some(result) => admitted.push((0, result.expect("no bound").cost())),
                None => waiting.push(id),
            }
        }
        let mut now = 0;
        while !crowd.is_empty() {
            let step = rng.u64(1..600);
            now += step;
            clock.advance(Duration::from_nanos(step));
            // Some were woken just now, the first among them.
            while rng.bool() && !waiting.is_empty() {
                let place = if rng.bool() { 0 } else { rng.usize(..waiting.len()) };
                crowd.leave(waiting.remove(place));
            }
            let results = crowd.settle(|woken| rng.usize(..woken));
            for (id, result) in results {
                assert_eq!(waiting.remove(0), id, "in the order in which they came");
                admitted.push((now, result.expect("no bound").cost()));
            }
            // The first has its turn now, or sleeps until there is room.
            let first_sleeps = clock.sleeping() == usize::from(!crowd.is_empty());
            assert!(first_sleeps, "nobody is stuck: {} in line, {} asleep", crowd.len(), clock.sleeping());
        }
        assert_eq!((limiter.waiting(), clock.sleeping()), (0, 0));
        if algorithm != Algorithm::Fixed {
            for &(start, _) in &admitted {
                let window = admitted.iter().filter(|(at, _)| (start..start + 1_000).contains(at));
                assert!(window.map(|(_, cost)| cost).sum::<u32>() <= most, "{admitted:?}");
            }
        }
        // All that is free is there for whoever comes now.
        clock.advance(Duration::from_nanos(2_000));
        assert!(limiter.check_n(most).is_ok());
    }
}

#[test]
fn a_future_that_is_dropped_at_the_end_of_its_turn_has_its_unit() {
    let (limiter, clock) = super::full(1, super::ms(1_000));
    let mut crowd = Crowd::default();
    assert!(crowd.enter(0, limiter.acquire()).is_none());
    clock.advance(super::ms(1_000));
    let permit = crowd.settle(|_| 0).pop().expect("it had its turn").1.expect("no bound");
    assert!(limiter.check().is_err(), "it was admitted");
    permit.refund();
    assert!(limiter.check().is_ok());
}

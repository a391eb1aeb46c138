//! The oracle itself: that the table, which was worked out by hand, agrees with it, and that it keeps the promise.

use std::time::Duration;

use windowlimit::Limit;
use windowlimit_tests::{
    oracle::Oracle,
    subject::{Answer, Subject},
};

windowlimit_tests::conformance!(|limits: &[Limit], run: &mut dyn FnMut(&mut dyn Subject)| {
    run(&mut Oracle::new(limits));
});

#[test]
fn no_interval_of_a_window_holds_more_than_the_limit() {
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..2_000 {
        let (max, window) = (rng.u32(1..6), rng.u64(1..40));
        let limit = Limit::new(max, Duration::from_nanos(window)).expect("the window is above zero");
        let mut oracle = Oracle::new(&[limit]);
        let (mut at, mut admitted) = (1_000, Vec::new());
        for _ in 0..100 {
            at += rng.u64(0..8);
            if oracle.call(at).is_admitted() {
                admitted.push(at);
            }
        }
        for &start in &admitted {
            let inside = admitted.iter().filter(|&&at| (start..start + window).contains(&at)).count();
            assert!(inside <= max as usize, "{inside} in [{start}, {start} + {window}) of {limit:?}");
        }
    }
}

#[test]
fn a_refused_call_is_admitted_at_its_retry_time_and_not_before() {
    let mut rng = fastrand::Rng::with_seed(8);
    for _ in 0..500 {
        let limits = windowlimit_tests::trace::random_limits(&mut rng);
        let mut oracle = Oracle::new(&limits);
        let mut at = 1_000;
        for _ in 0..60 {
            at += rng.u64(0..100);
            if let Answer::Refused { retry_after, .. } = oracle.call(at) {
                assert!(retry_after > 0);
                assert!(!oracle.call(at + retry_after - 1).is_admitted());
                at += retry_after;
                assert!(oracle.call(at).is_admitted());
                if at > 1 << 62 {
                    break;
                }
            }
        }
    }
}

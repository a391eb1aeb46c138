//! The exact window decides as the table and the oracle do.

use proptest::prelude::*;
use windowlimit::Limit;
use windowlimit_tests::{
    subject::{OnManualClock, Subject},
    trace::{Move, compare, random_limits},
};

fn exact(limits: &[Limit]) -> Box<dyn Subject> {
    Box::new(OnManualClock::exact(limits))
}

windowlimit_tests::conformance!(exact);

#[test]
fn a_million_random_traces_are_answered_as_by_the_oracle() {
    let mut rng = fastrand::Rng::with_seed(0x0077_696e_646f_776c);
    let (mut steps, mut admitted) = (0_u64, 0_u64);
    for trace in 0..1_000_000 {
        let seed = rng.u64(..);
        let mut rng = fastrand::Rng::with_seed(seed);
        let limits = random_limits(&mut rng);
        let length = if trace % 64 == 0 { 200 } else { rng.usize(1..24) };
        let moves: Vec<Move> = (0..length).map(|_| Move::random(&mut rng)).collect();
        steps += length as u64;
        admitted += compare(&mut *exact(&limits), &limits, moves);
    }
    // Neither side of the decision is rare in these traces.
    assert!(admitted > steps / 5 && admitted < steps * 4 / 5, "{admitted} of {steps}");
}

/// The same, in a form that shrinks a failure to its smallest trace.
fn movement() -> impl Strategy<Value = Move> {
    prop_oneof![
        Just(Move::Stay),
        Just(Move::Tick),
        (0..64_u8).prop_map(Move::Part),
        (-1..=1_i8).prop_map(Move::Edge),
        (1..4_u8).prop_map(Move::Idle),
        (0..64_u8).prop_map(Move::Back),
        Just(Move::Far),
        Just(Move::End),
    ]
}

fn limits() -> impl Strategy<Value = Vec<Limit>> {
    let limit = (1..=12_u32, prop_oneof![Just(1_u64), 2..=1_000_u64, Just(1 << 62), Just(u64::MAX)])
        .prop_map(|(max, window)| {
            Limit::new(max, std::time::Duration::from_nanos(window)).expect("the window is above zero")
        });
    prop::collection::vec(limit, 1..=3)
}

proptest! {
    #[test]
    fn any_trace_is_answered_as_by_the_oracle(
        limits in limits(),
        moves in prop::collection::vec(movement(), 0..60),
    ) {
        compare(&mut *exact(&limits), &limits, moves);
    }
}

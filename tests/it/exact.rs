//! The exact window decides as the table and the oracle do: lock-free for calls of one unit, and as a log of units.

use proptest::prelude::*;
use windowlimit::{Algorithm, Limit};
use windowlimit_tests::{
    oracle::Oracle,
    subject::{Subject, on_manual_clock},
    trace::{Move, Op, Totals, compare, random_limits},
};

mod by_a_ring {
    use super::*;

    windowlimit_tests::conformance!(|limits: &[Limit], run: &mut dyn FnMut(&mut dyn Subject)| {
        on_manual_clock(limits, Algorithm::Exact, true, |subject| run(subject));
    });
}

mod by_a_log {
    use super::*;

    windowlimit_tests::conformance!(|limits: &[Limit], run: &mut dyn FnMut(&mut dyn Subject)| {
        on_manual_clock(limits, Algorithm::Exact, true, |subject| {
            if limits.iter().all(|limit| limit.max() > 0) {
                subject.keep_a_log();
            }
            run(subject);
        });
    });
}

/// A million steps in traces of different lengths.
fn traces(
    seed: u64,
    op: impl Fn(&mut fastrand::Rng) -> Op,
    run: impl Fn(&[Limit], Vec<(Move, Op)>) -> Totals,
) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut totals = Totals::default();
    for trace in 0.. {
        if totals.calls >= 1_000_000 {
            break;
        }
        let mut rng = fastrand::Rng::with_seed(rng.u64(..));
        let limits = random_limits(&mut rng);
        let length = if trace % 64 == 0 { 200 } else { rng.usize(1..24) };
        let trace = (0..length).map(|_| (Move::random(&mut rng), op(&mut rng))).collect();
        totals += run(&limits, trace);
    }
    // Neither side of the decision is rare in these traces.
    let Totals { calls, admitted } = totals;
    assert!(admitted > calls / 5 && admitted < calls * 4 / 5, "{admitted} of {calls}");
}

#[test]
fn a_million_calls_are_answered_as_by_the_oracle() {
    traces(
        0x0077_696e_646f_776c,
        |_| Op::CALL,
        |limits, trace| {
            on_manual_clock(limits, Algorithm::Exact, false, |subject| {
                compare(subject, &mut Oracle::new(limits), limits, &trace)
            })
        },
    );
}

#[test]
fn a_million_calls_with_costs_refunds_and_changes_are_answered_as_by_the_oracle() {
    traces(0x006c_6f67, Op::random, |limits, trace| {
        on_manual_clock(limits, Algorithm::Exact, true, |subject| {
            compare(subject, &mut Oracle::new(limits), limits, &trace)
        })
    });
}

/// Without costs and refunds the window stays a ring through all changes.
#[test]
fn a_million_calls_with_changes_are_answered_as_by_the_oracle() {
    let op = |rng: &mut fastrand::Rng| match rng.u8(..) {
        0..230 => Op::CALL,
        230..234 => Op::Reset,
        234.. => Op::SetLimits(rng.u64(..)),
    };
    traces(0x0072_696e_6773, op, |limits, trace| {
        on_manual_clock(limits, Algorithm::Exact, false, |subject| {
            compare(subject, &mut Oracle::new(limits), limits, &trace)
        })
    });
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

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => Just(Op::CALL),
        4 => (0..=6_u32).prop_map(Op::Claim),
        3 => (0..6_u8).prop_map(Op::Refund),
        1 => any::<u64>().prop_map(Op::SetLimits),
        1 => Just(Op::Reset),
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
        trace in prop::collection::vec((movement(), op()), 0..60),
    ) {
        on_manual_clock(&limits, Algorithm::Exact, true, |subject| {
            compare(subject, &mut Oracle::new(&limits), &limits, &trace);
        });
    }
}

#[test]
fn f13_one_list_of_calls_is_answered_alike_in_every_way() {
    let mut rng = fastrand::Rng::with_seed(13);
    for _ in 0..2_000 {
        let limits = random_limits(&mut rng);
        let trace: Vec<_> = (0..40).map(|_| (Move::random(&mut rng), Op::CALL)).collect();
        // The oracle here is a second limiter, of another engine, from the first call on.
        on_manual_clock(&limits, Algorithm::Exact, false, |ring| {
            on_manual_clock(&limits, Algorithm::Exact, true, |log| {
                log.keep_a_log();
                compare(ring, log, &limits, &trace)
            })
        });
    }
}

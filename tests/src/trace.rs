//! Random traces: limits, and instants that repeat, step, jump, stop at edges and go back.

use windowlimit::Limit;

use crate::{
    oracle::Oracle,
    subject::{Subject, nanos},
};

/// Where the calls of a trace start: the reading of a clock that was just made.
const START: u64 = 1_000_000_000;

/// How one instant follows from the one before. Windows are those of the first limit.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    Stay,
    Tick,
    /// A fraction of a window, in 64ths.
    Part(u8),
    /// To the next nanosecond at which a unit leaves, or one before or after it.
    Edge(i8),
    Idle(u8),
    Back(u8),
    /// A jump of years.
    Far,
    /// The end of what a clock can say.
    End,
}

impl Move {
    /// Mostly small steps; now and then something that a clock should not do.
    pub fn random(rng: &mut fastrand::Rng) -> Self {
        match rng.u8(..) {
            0..40 => Self::Stay,
            40..70 => Self::Tick,
            70..150 => Self::Part(rng.u8(..64)),
            150..210 => Self::Edge(rng.i8(-1..=1)),
            210..230 => Self::Idle(rng.u8(1..4)),
            230..250 => Self::Back(rng.u8(..64)),
            250..254 => Self::Far,
            254.. => Self::End,
        }
    }
}

/// Random limits, one to three, of which the first is small or larger than a first circle.
pub fn random_limits(rng: &mut fastrand::Rng) -> Vec<Limit> {
    (0..rng.usize(1..=3))
        .map(|_| {
            let max = match rng.u8(..8) {
                0 => 1,
                1..6 => rng.u32(1..=9),
                _ => rng.u32(1..=40),
            };
            let window = match rng.u8(..8) {
                0 => 1,
                1 => rng.u64(1..=10),
                2 => 200 * 365 * 86_400 * 1_000_000_000,
                _ => rng.u64(100..=1_000),
            };
            Limit::new(max, std::time::Duration::from_nanos(window)).expect("the window is above zero")
        })
        .collect()
}

/// Runs a trace on a subject and on the oracle and compares every answer, and before each the state.
pub fn compare(subject: &mut dyn Subject, limits: &[Limit], moves: impl IntoIterator<Item = Move>) -> u64 {
    let mut oracle = Oracle::new(limits);
    let window = nanos(limits[0].window());
    // The last reading that can be told from later ones.
    let last = (1 << 63) - 3;
    let mut at = START;
    let mut admitted = 0;
    for (step, movement) in moves.into_iter().enumerate() {
        at = match movement {
            Move::Stay => at,
            Move::Tick => at + 1,
            Move::Part(part) => at + window / 64 * u64::from(part),
            Move::Edge(by) => (at + oracle.usage(at).reset_after).saturating_add_signed(i64::from(by)),
            Move::Idle(windows) => at.saturating_add(window.saturating_mul(u64::from(windows))),
            Move::Back(part) => at.saturating_sub(window / 64 * u64::from(part)),
            Move::Far => at + 40 * 365 * 86_400 * 1_000_000_000,
            Move::End => last,
        }
        .clamp(0, last);
        assert_eq!(subject.usage(at), oracle.usage(at), "usage before step {step}, {movement:?} to {at}");
        let (found, wanted) = (subject.call(at), oracle.call(at));
        assert_eq!(found, wanted, "step {step}, {movement:?} to {at}");
        admitted += u64::from(found.is_admitted());
    }
    admitted
}

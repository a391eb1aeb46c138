//! Random traces: limits, and instants that repeat, step, jump, stop at edges and go back.

use arbitrary::Arbitrary;
use windowlimit::Limit;

use crate::subject::{Subject, nanos};

/// Where the calls of a trace start: the reading of a clock that was just made.
const START: u64 = 1_000_000_000;

/// How one instant follows from the one before. Windows are those of the first limit.
#[derive(Clone, Copy, Debug, Arbitrary)]
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

/// What happens at an instant.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Op {
    /// A call of this cost.
    Claim(u32),
    /// An admission is given back, so many before the newest.
    Refund(u8),
    Reset,
    /// Other limits, drawn with this seed.
    SetLimits(u64),
}

impl Op {
    /// Only calls that take one unit.
    pub const CALL: Self = Self::Claim(1);

    /// Mostly calls of small costs, many refunds, now and then a change.
    pub fn random(rng: &mut fastrand::Rng) -> Self {
        match rng.u8(..) {
            0..120 => Self::CALL,
            120..180 => Self::Claim(rng.u32(0..=5)),
            180..190 => Self::Claim(rng.u32(0..=40)),
            190..242 => Self::Refund(rng.u8(0..6)),
            242..245 => Self::Reset,
            245.. => Self::SetLimits(rng.u64(..)),
        }
    }
}

/// Runs a trace on a subject and on an oracle and compares every answer, and before each the state.
pub fn compare(
    subject: &mut dyn Subject,
    oracle: &mut dyn Subject,
    limits: &[Limit],
    trace: &[(Move, Op)],
) -> Totals {
    let shown = Shown { limits, trace };
    let mut window = nanos(limits[0].window());
    // The last reading that can be told from later ones.
    let last = (1 << 63) - 3;
    let mut at = START;
    let mut totals = Totals::default();
    let mut refunded = std::collections::HashSet::new();
    for (step, (movement, op)) in shown.trace.iter().copied().enumerate() {
        at = match movement {
            Move::Stay => at,
            Move::Tick => at + 1,
            Move::Part(part) => at.saturating_add((window / 64).saturating_mul(u64::from(part))),
            Move::Edge(by) => {
                at.saturating_add(oracle.usage(at).reset_after).saturating_add_signed(i64::from(by))
            }
            Move::Idle(windows) => at.saturating_add(window.saturating_mul(u64::from(windows))),
            Move::Back(part) => at.saturating_sub((window / 64).saturating_mul(u64::from(part))),
            Move::Far => at + 40 * 365 * 86_400 * 1_000_000_000,
            Move::End => last,
        }
        .clamp(0, last);
        let place = format_args!("step {step}, {movement:?} to {at}, {op:?}");
        assert_eq!(subject.usage(at), oracle.usage(at), "usage before {place}");
        match op {
            Op::Claim(cost) => {
                let (found, wanted) = (subject.claim(at, cost), oracle.claim(at, cost));
                assert_eq!(found, wanted, "{place}");
                totals.calls += 1;
                totals.admitted += usize::from(found.is_admitted());
            }
            Op::Refund(back) => {
                // A permit is used up by its refund, also by one that came too late.
                let admission = totals.admitted.checked_sub(1 + usize::from(back));
                if let Some(admission) = admission.filter(|&admission| refunded.insert(admission)) {
                    subject.refund(at, admission);
                    oracle.refund(at, admission);
                }
            }
            Op::Reset => {
                subject.reset(at);
                oracle.reset(at);
            }
            Op::SetLimits(seed) => {
                let limits = random_limits(&mut fastrand::Rng::with_seed(seed));
                subject.set_limits(at, &limits);
                oracle.set_limits(at, &limits);
                window = nanos(limits[0].window());
            }
        }
    }
    totals
}

/// Tells the whole trace when a test fails in it.
struct Shown<'t> {
    limits: &'t [Limit],
    trace: &'t [(Move, Op)],
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("limits {:?}, trace {:?}", self.limits, self.trace);
        }
    }
}

/// How a trace went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub calls: usize,
    pub admitted: usize,
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.admitted += other.admitted;
    }
}

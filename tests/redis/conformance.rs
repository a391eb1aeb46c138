//! The scripts decide as the table and the oracle say, on real servers, at instants that the tests give them. What is a
//! nanosecond there is a microsecond here.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use windowlimit::{
    Algorithm, Limit, ManualClock, RateLimitExceeded, Reason, RedisStore, SharedLimiter, SharedPermit, Usage,
};
use windowlimit_tests::{
    oracle::{Fixed, Oracle, Segmented},
    subject::{Answer, State, Subject, nanos},
    table,
    trace::{Move, Op, Totals, compare},
};

use crate::server::{Program, Server};

/// One key of a shared limiter.
struct Shared<'l> {
    limiter: &'l SharedLimiter,
    clock: Arc<ManualClock>,
    calls: u64,
    permits: Vec<Option<SharedPermit<'l>>>,
}

const KEY: (&str, u8) = ("subject", 1);

/// Hands on a subject that no other has seen.
pub(crate) fn on_store(
    store: &RedisStore,
    limits: &[Limit],
    algorithm: Algorithm,
    run: impl FnOnce(&mut dyn Subject),
) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let clock = Arc::new(ManualClock::new());
    let name = format!("subject {}", COUNT.fetch_add(1, Ordering::Relaxed));
    let limiter = SharedLimiter::builder(store, name)
        .limits(limits.iter().map(to_micros))
        .algorithm(algorithm)
        .instants(Arc::clone(&clock))
        .build()
        .expect("a subject has limits");
    run(&mut Shared { limiter: &limiter, clock, calls: 0, permits: Vec::new() });
    assert_eq!(limiter.degraded(), 0, "{:?}", store.last_error());
}

pub(crate) fn to_micros(limit: &Limit) -> Limit {
    Limit::new(limit.max(), limit.window() * 1_000).expect("it was a limit")
}

fn from_micros(window: Duration) -> Duration {
    assert_eq!(window.as_nanos() % 1_000, 0, "to the microsecond");
    Duration::from_nanos(nanos(window) / 1_000)
}

impl Shared<'_> {
    fn at(&mut self, at: u64) {
        self.clock.set(at * 1_000);
        self.calls += 1;
    }

    fn usage_now(&self) -> State {
        state(self.limiter.usage(&KEY).expect("the store answers"))
    }
}

pub(crate) fn state(usage: Usage) -> State {
    State {
        limit: Limit::new(usage.limit(), from_micros(usage.window())).expect("it was one"),
        live: usage.live(),
        remaining: usage.remaining(),
        reset_after: nanos(from_micros(usage.reset_after())),
    }
}

pub(crate) fn refused(refusal: &RateLimitExceeded) -> Answer {
    match (refusal.reason(), refusal.retry_after()) {
        (Reason::WindowFull, Some(retry_after)) => Answer::Refused {
            limit: Limit::new(refusal.limit(), from_micros(refusal.window())).expect("it was one"),
            retry_after: nanos(from_micros(retry_after)),
        },
        (Reason::NeverFits, None) => Answer::Never,
        other => panic!("a refusal that no subject should make: {other:?}"),
    }
}

impl Subject for Shared<'_> {
    fn claim(&mut self, at: u64, cost: u32) -> Answer {
        self.at(at);
        // Now and then asked again without a receipt, and about the usage: it has to be the same.
        let decided = self.limiter.try_acquire_n(&KEY, cost).map(|permit| {
            let state = state(permit.usage());
            self.permits.push(Some(permit));
            state
        });
        match decided {
            Ok(state) => {
                if self.calls.is_multiple_of(8) {
                    assert_eq!(state, self.usage_now());
                }
                Answer::Admitted { remaining: state.remaining, reset_after: state.reset_after }
            }
            Err(refusal) => {
                if self.calls.is_multiple_of(8) {
                    let again = self.limiter.check_n(&KEY, cost).expect_err("a refusal changes nothing");
                    assert_eq!(again, refusal);
                }
                refused(&refusal)
            }
        }
    }

    fn usage(&mut self, at: u64) -> State {
        self.at(at);
        self.usage_now()
    }

    fn refund(&mut self, at: u64, admission: usize) {
        self.at(at);
        if let Some(permit) = self.permits.get_mut(admission).and_then(Option::take) {
            permit.refund();
        }
    }

    fn reset(&mut self, at: u64) {
        self.at(at);
        self.limiter.reset(&KEY).expect("the store answers");
    }

    fn set_limits(&mut self, at: u64, limits: &[Limit]) {
        self.at(at);
        self.limiter.set_limits(limits.iter().map(to_micros)).expect("they can be kept");
    }
}

/// Rows that are about what a store does not promise.
const OTHERWISE: [(&str, &str); 5] = [
    ("f36_windows_of_centuries", "windows on a store end at 140 years"),
    ("f36_windows_beyond_the_end_of_time_count_as_292_years", "windows on a store end at 140 years"),
    ("the_largest_cost_fits_the_largest_limit", "a call on a store takes a million units at most"),
    ("a_longer_window_does_not_bring_back_what_had_left", "the log remembers no limits"),
    ("f48_a_reset_voids_the_permits_of_its_own_instant", "records of one instant are as good as each other"),
];

pub(crate) fn rows() -> impl Iterator<Item = (&'static str, fn(table::Engine<'_>))> {
    table::ROWS.iter().copied().filter(|(name, _)| !OTHERWISE.iter().any(|(other, _)| other == name))
}

/// On a server that others may use at the same time: each subject is another window.
pub(crate) fn run_row(server: &Server, row: fn(table::Engine<'_>)) {
    let store = server.store();
    row(&|limits, run| on_store(&store, limits, Algorithm::Exact, |subject| run(subject)));
}

/// One to three limits, small and larger than the log's first look back.
fn random_limits(rng: &mut fastrand::Rng) -> Vec<Limit> {
    let limit = |rng: &mut fastrand::Rng| {
        let max = if rng.u8(..4) == 0 { rng.u32(1..=60) } else { rng.u32(1..=9) };
        let window = match rng.u8(..8) {
            0 => 1,
            1 => rng.u64(1..=10),
            _ => rng.u64(100..=1_000) / 10 * 10,
        };
        Limit::new(max, Duration::from_nanos(window)).expect("the window is above zero")
    };
    (0..rng.usize(1..=3)).map(|_| limit(rng)).collect()
}

/// A clock that never goes back: what one that does may do is said elsewhere.
fn random_move(rng: &mut fastrand::Rng) -> Move {
    match rng.u8(..) {
        0..60 => Move::Stay,
        60..100 => Move::Tick,
        100..180 => Move::Part(rng.u8(..64)),
        180..240 => Move::Edge(rng.i8(0..=1)),
        240.. => Move::Idle(rng.u8(1..4)),
    }
}

fn random_op(rng: &mut fastrand::Rng) -> Op {
    match rng.u8(..) {
        0..130 => Op::CALL,
        130..200 => Op::Claim(rng.u32(0..=5)),
        200..212 => Op::Claim(rng.u32(0..=70)),
        212.. => Op::Refund(rng.u8(0..6)),
    }
}

fn traces(
    program: &Program,
    calls: usize,
    seed: u64,
    algorithm: Algorithm,
    oracle: fn(&[Limit]) -> Box<dyn Subject>,
    limits: fn(&mut fastrand::Rng) -> Vec<Limit>,
) {
    let server = Server::start(program);
    let store = server.store();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut totals = Totals::default();
    for trace in 0.. {
        if totals.calls >= calls {
            break;
        }
        let limits = limits(&mut rng);
        let length = if trace % 8 == 0 { 400 } else { rng.usize(1..60) };
        let trace: Vec<_> = (0..length).map(|_| (random_move(&mut rng), random_op(&mut rng))).collect();
        on_store(&store, &limits, algorithm, |subject| {
            totals += compare(subject, &mut *oracle(&limits), &limits, &trace);
        });
    }
    let Totals { calls, admitted } = totals;
    assert!(admitted > calls / 5 && admitted < calls * 4 / 5, "{admitted} of {calls}");
}

pub(crate) fn a_hundred_thousand_decisions_are_those_of_the_oracle(program: &Program) {
    traces(
        program,
        100_000,
        0x0072_6564_6973,
        Algorithm::Exact,
        |limits| Box::new(Oracle::new(limits)),
        random_limits,
    );
}

/// Whose windows have whole segments of microseconds.
pub(crate) fn in_segments(rng: &mut fastrand::Rng) -> Vec<Limit> {
    let limits = random_limits(rng).into_iter();
    let whole = limits.filter_map(|limit| Limit::new(limit.max(), limit.window() / 10 * 10).ok());
    let whole: Vec<_> = whole.filter(|limit| limit.window() >= Duration::from_nanos(10)).collect();
    if whole.is_empty() { in_segments(rng) } else { whole }
}

pub(crate) fn segmented_windows_are_those_of_the_oracle(program: &Program) {
    traces(
        program,
        20_000,
        7,
        Algorithm::Segmented(10),
        |limits| Box::new(OnTime::new(limits, 10)),
        in_segments,
    );
}

pub(crate) fn fixed_windows_are_those_of_the_oracle(program: &Program) {
    traces(program, 20_000, 8, Algorithm::Fixed, |limits| Box::new(Fixed::new(limits)), random_limits);
}

/// The instants of a limiter of one process begin at 1, and so do its segments; those of a server do not.
#[derive(Clone)]
pub(crate) struct OnTime(Segmented);

impl OnTime {
    pub(crate) fn new(limits: &[Limit], segments: u32) -> Self {
        Self(Segmented::of_a_key(limits, segments))
    }
}

impl Subject for OnTime {
    fn claim(&mut self, at: u64, cost: u32) -> Answer {
        self.0.claim(at - 1, cost)
    }

    fn usage(&mut self, at: u64) -> State {
        self.0.usage(at - 1)
    }

    fn refund(&mut self, at: u64, admission: usize) {
        self.0.refund(at - 1, admission);
    }

    fn reset(&mut self, at: u64) {
        self.0.reset(at - 1);
    }

    fn set_limits(&mut self, at: u64, limits: &[Limit]) {
        self.0.set_limits(at - 1, limits);
    }
}

//! Random decisions of several limiters of all kinds, against one oracle for each window: what one of them refuses, none is
//! charged for.

use std::{collections::HashMap, sync::Arc};

use windowlimit::{
    Algorithm, Limit, ManualClock, RateLimitExceeded, Reason, RedisStore, SharedLimiter, Together,
    TogetherPermit,
};
use windowlimit_tests::{
    oracle::{Fixed, Oracle},
    subject::{Answer, Subject, nanos},
};

use crate::{
    conformance::{OnTime, in_segments, refused, state, to_micros},
    server::{Program, Server},
};

/// The window of one key.
#[derive(Clone)]
enum Model {
    Exact(Oracle),
    Segmented(OnTime),
    Fixed(Fixed),
}

impl Model {
    fn new(limits: &[Limit], algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Exact => Self::Exact(Oracle::new(limits)),
            Algorithm::Fixed => Self::Fixed(Fixed::new(limits)),
            _ => Self::Segmented(OnTime::new(limits, 10)),
        }
    }

    fn subject(&mut self) -> &mut dyn Subject {
        match self {
            Self::Exact(oracle) => oracle,
            Self::Segmented(oracle) => oracle,
            Self::Fixed(oracle) => oracle,
        }
    }

    /// What a call would get.
    fn judge(&self, at: u64, cost: u32) -> Answer {
        self.clone().subject().claim(at, cost)
    }
}

/// Three limiters on a server, and what each of their windows should be.
struct Trial<'t> {
    together: &'t Together<3>,
    models: [HashMap<u8, (Model, usize)>; 3],
    limits: [Vec<Limit>; 3],
    permits: Vec<Entered<'t>>,
}

/// An admission, with its number in each window, all of which it may give back its units to.
struct Entered<'t> {
    permit: TogetherPermit<'t>,
    windows: Vec<(usize, u8, usize)>,
}

/// What a call got: of each window what is left and when it is more, or the refusal.
#[derive(Debug, PartialEq)]
enum Outcome {
    Admitted(Vec<(u32, u64)>),
    Refused { name: String, answer: Answer },
}

impl<'t> Trial<'t> {
    fn new(together: &'t Together<3>, limits: [Vec<Limit>; 3]) -> Self {
        Self { together, models: Default::default(), limits, permits: Vec::new() }
    }

    fn window(&mut self, limiter: usize, key: u8) -> &mut (Model, usize) {
        let algorithm = self.together.limiters()[limiter].algorithm();
        let limits = &self.limits[limiter];
        self.models[limiter].entry(key).or_insert_with(|| (Model::new(limits, algorithm), 0))
    }

    /// All admit it and each is charged, or none is.
    fn wanted(&mut self, at: u64, keys: [u8; 3], costs: [u32; 3]) -> Outcome {
        let names = self.together.limiters().map(|limiter| limiter.name().to_owned());
        let each: Vec<_> = (0..3).map(|i| self.window(i, keys[i]).0.judge(at, costs[i])).collect();
        let never = each.iter().position(|answer| *answer == Answer::Never);
        let wait = |answer: &Answer| match answer {
            Answer::Refused { retry_after, .. } => *retry_after,
            _ => 0,
        };
        let longest = each.iter().map(wait).max().filter(|&wait| wait > 0);
        let last = longest.and_then(|longest| each.iter().position(|answer| wait(answer) == longest));
        if let Some(by) = never.or(last) {
            return Outcome::Refused { name: names[by].clone(), answer: each[by] };
        }
        let admitted = (0..3).map(|i| {
            let (model, count) = self.window(i, keys[i]);
            *count += 1;
            match model.subject().claim(at, costs[i]) {
                Answer::Admitted { remaining, reset_after } => (remaining, reset_after),
                answer => panic!("it was judged to fit: {answer:?}"),
            }
        });
        Outcome::Admitted(admitted.collect())
    }

    fn call(&mut self, at: u64, keys: [u8; 3], costs: [u32; 3]) -> bool {
        let decided = self.together.try_acquire_each(keys, costs);
        let found = match &decided {
            Ok(permit) => {
                let states = permit.parts().iter().map(|part| state(part.usage()));
                Outcome::Admitted(states.map(|state| (state.remaining, state.reset_after)).collect())
            }
            Err(refusal) => self.read(refusal),
        };
        assert_eq!(found, self.wanted(at, keys, costs), "at {at}, {keys:?}, {costs:?}");
        let is_admitted = decided.is_ok();
        if let Ok(permit) = decided {
            let windows = (0..3).map(|i| (i, keys[i], self.window(i, keys[i]).1 - 1)).collect();
            self.permits.push(Entered { permit, windows });
        }
        is_admitted
    }

    fn read(&self, refusal: &RateLimitExceeded) -> Outcome {
        let limiter = self.together.limiters().into_iter().find(|limiter| limiter.name() == refusal.name());
        let limits = limiter.expect("it is one of them").limits();
        if refusal.reason() == Reason::WindowFull {
            assert_eq!(refusal.limits(), limits);
        }
        Outcome::Refused { name: refusal.name().to_owned(), answer: refused(refusal) }
    }

    /// A call that one limiter is asked about alone.
    fn call_one(&mut self, at: u64, limiter: usize, key: u8, cost: u32) {
        let decided = self.together.limiters()[limiter].check_n(&key, cost);
        let (model, count) = self.window(limiter, key);
        let wanted = model.subject().claim(at, cost);
        *count += usize::from(wanted.is_admitted());
        match decided {
            Ok(()) => assert!(wanted.is_admitted(), "at {at}, {wanted:?}"),
            Err(refusal) => assert_eq!(refused(&refusal), wanted, "at {at}"),
        }
    }

    fn refund(&mut self, at: u64, back: usize) {
        let Some(place) = self.permits.len().checked_sub(1 + back) else { return };
        let Entered { permit, windows } = self.permits.remove(place);
        permit.refund();
        for (limiter, key, number) in windows {
            self.window(limiter, key).0.subject().refund(at, number);
        }
    }

    /// Every window is as it should be: a refusal has changed none.
    fn compare(&mut self, at: u64) {
        let limiters = self.together.limiters();
        for (limiter, models) in limiters.into_iter().zip(&mut self.models) {
            for (key, (model, _)) in models {
                let usage = limiter.usage(key).expect("the store answers");
                assert_eq!(state(usage), model.subject().usage(at), "at {at}, {} {key}", limiter.name());
            }
        }
    }
}

const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed];

/// Three limiters of random kinds, mostly exact.
fn limiters(
    store: &RedisStore,
    clock: &Arc<ManualClock>,
    trial: usize,
    limits: &[Vec<Limit>; 3],
    rng: &mut fastrand::Rng,
) -> Together<3> {
    let limiters = [0, 1, 2].map(|i| {
        let algorithm = if rng.u8(..2) == 0 { Algorithm::Exact } else { KINDS[rng.usize(..3)] };
        SharedLimiter::builder(store, format!("{trial} {i}"))
            .group("random")
            .limits(limits[i].iter().map(to_micros))
            .algorithm(algorithm)
            .instants(Arc::clone(clock))
            .build()
            .expect("it has limits")
    });
    Together::new(limiters).expect("they are of one group")
}

pub(crate) fn ten_thousand_decisions_are_all_or_nothing(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let mut rng = fastrand::Rng::with_seed(0x746f_6765);
    let (mut calls, mut admitted, mut trials) = (0_usize, 0, 0);
    while calls < 10_000 {
        trials += 1;
        let limits: [Vec<Limit>; 3] = std::array::from_fn(|_| in_segments(&mut rng));
        let clock = Arc::new(ManualClock::new());
        let together = limiters(&store, &clock, trials, &limits, &mut rng);
        let mut trial = Trial::new(&together, limits.clone());
        let mut at = 1_000_000_000;
        for step in 0..rng.usize(20..200) {
            let window = nanos(limits[rng.usize(..3)][0].window());
            at += match rng.u8(..) {
                0..120 => 0,
                120..170 => 1,
                170..230 => window * rng.u64(..64) / 64,
                230..250 => window,
                250.. => 3 * window,
            };
            clock.set(at * 1_000);
            let cost = |rng: &mut fastrand::Rng| if rng.u8(..4) == 0 { rng.u32(..=5) } else { 1 };
            let keys = [rng.u8(..3), rng.u8(..2), 0];
            match rng.u8(..16) {
                0 => trial.refund(at, rng.usize(..4)),
                1 => {
                    let limiter = rng.usize(..3);
                    trial.call_one(at, limiter, keys[limiter], cost(&mut rng));
                }
                _ => {
                    let costs = [cost(&mut rng), cost(&mut rng), cost(&mut rng)];
                    calls += 1;
                    admitted += usize::from(trial.call(at, keys, costs));
                }
            }
            if step % 16 == 0 {
                trial.compare(at);
            }
        }
    }
    assert!(admitted > calls / 5 && admitted < calls * 4 / 5, "{admitted} of {calls}");
    assert_eq!(store.degraded(), 0, "{:?}", store.last_error());
}

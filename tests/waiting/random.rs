//! Random crowds in front of every kind of window, against a line that is looked through by hand.

use std::{collections::HashMap, time::Duration};

use windowlimit::{Acquire, Algorithm, KeyedLimiter, Limit, Limiter, Permit, RateLimitExceeded, Reason};
use windowlimit_tests::{
    crowd::Crowd,
    oracle::{Fixed, Line, Oracle, Outcome, Segmented, Waiter},
    subject::{Answer, Subject, nanos},
};

use super::{Manual, per};

type Permits<'l> = HashMap<usize, Permit<'l, Manual>>;

/// A limiter, or one key of a keyed one among others.
#[allow(clippy::large_enum_variant)] // There is one at a time.
enum Door {
    Plain(Limiter<Manual>),
    Keyed(KeyedLimiter<Manual>),
}

impl Door {
    fn acquire(&self) -> Acquire<'_, Manual> {
        match self {
            Self::Plain(limiter) => limiter.acquire(),
            Self::Keyed(limiter) => limiter.acquire("key"),
        }
    }

    fn call(&self, cost: u32) -> Result<Permit<'_, Manual>, RateLimitExceeded> {
        match self {
            Self::Plain(limiter) => limiter.try_acquire_n(cost),
            Self::Keyed(limiter) => limiter.try_acquire_n("key", cost),
        }
    }

    fn reset(&self) {
        match self {
            Self::Plain(limiter) => limiter.reset(),
            Self::Keyed(limiter) => limiter.reset(),
        }
    }

    fn set_limits(&self, limits: &[Limit]) {
        match self {
            Self::Plain(limiter) => limiter.set_limits(limits.iter().copied()),
            Self::Keyed(limiter) => limiter.set_limits(limits.iter().copied()),
        }
        .expect("they are limits");
    }

    fn waiting(&self) -> usize {
        match self {
            Self::Plain(limiter) => limiter.waiting(),
            Self::Keyed(limiter) => limiter.waiting("key"),
        }
    }
}

fn outcome(result: &Result<Permit<'_, Manual>, RateLimitExceeded>) -> Outcome {
    let Err(refusal) = result else { return Outcome::Admitted };
    let retry_after = refusal.retry_after().map(nanos);
    match (refusal.reason(), retry_after) {
        (Reason::NeverFits, None) => Outcome::Never,
        (Reason::LineFull, Some(retry_after)) => Outcome::LineFull(retry_after),
        (Reason::TurnTooLate, Some(retry_after)) => Outcome::TooLate(retry_after),
        (Reason::OthersWait, Some(retry_after)) => Outcome::OthersWait(retry_after),
        _ => panic!("{refusal:?}"),
    }
}

/// One crowd; how many were admitted after a wait.
fn play<S: Subject + Clone>(
    rng: &mut fastrand::Rng,
    door: &Door,
    clock: &Manual,
    window: S,
    (most, costs): (u32, bool),
    steps: usize,
) -> usize {
    let mut line = Line::new(window);
    let mut crowd = Crowd::default();
    let mut permits = HashMap::new();
    let mut now = 1_000_000_000;
    clock.set(now);
    let mut served = 0;
    for id in 0..steps {
        match rng.u8(..100) {
            // Somebody comes and waits.
            0..40 => {
                let cost = if costs && rng.u8(..4) == 0 { rng.u32(..6) } else { 1 };
                let most = if rng.u8(..8) == 0 { rng.usize(..4) } else { usize::MAX };
                let within = (rng.u8(..3) == 0).then(|| rng.u64(..3_000));
                let mut acquire = door.acquire().cost(cost).max_waiters(most);
                if let Some(within) = within {
                    acquire = acquire.within(Duration::from_nanos(within));
                }
                let waiter = Waiter { id, cost, deadline: within.map(|within| now + within) };
                let expected = line.join(now, waiter, most);
                let result = crowd.enter(id, acquire);
                assert_eq!(result.as_ref().map(outcome), expected, "{waiter:?}");
                if let Some(Ok(permit)) = result {
                    permits.insert(id, permit);
                }
            }
            // Somebody comes and does not wait.
            40..55 => {
                let cost = if costs { rng.u32(..4) } else { 1 };
                let result = door.call(cost);
                match (line.call(id, now, cost), &result) {
                    (Answer::Admitted { remaining, .. }, Ok(permit)) => {
                        assert_eq!(permit.remaining(), remaining);
                    }
                    (Answer::Refused { retry_after, .. }, Err(refusal)) => {
                        let reason =
                            if line.waiting().is_empty() { Reason::WindowFull } else { Reason::OthersWait };
                        assert_eq!(
                            (refusal.reason(), refusal.retry_after()),
                            (reason, Some(Duration::from_nanos(retry_after)))
                        );
                    }
                    (Answer::Never, Err(refusal)) => assert_eq!(refusal.reason(), Reason::NeverFits),
                    (expected, result) => panic!("{expected:?} {result:?}"),
                }
                permits.extend(result.ok().map(|permit| (id, permit)));
            }
            // Somebody leaves.
            55..65 if !line.waiting().is_empty() => {
                let id = line.waiting()[rng.usize(..line.waiting().len())].id;
                line.leave(id);
                crowd.leave(id);
            }
            // A unit is given back: by the number of its admission.
            65..70 if costs && !line.admitted.is_empty() => {
                let number = rng.usize(..line.admitted.len());
                if let Some(permit) = permits.remove(&line.admitted[number]) {
                    line.window.refund(now, number);
                    permit.refund();
                }
            }
            70..71 => {
                line.window.reset(now);
                door.reset();
            }
            71..73 => {
                let limits = match door {
                    // What becomes of segments and fixed windows of other lengths differs for keys: `it` tests it.
                    Door::Keyed(limiter) if limiter.algorithm() != Algorithm::Exact => {
                        let same = limiter.limits().into_iter();
                        same.map(|limit| per(rng.u32(1..=6), nanos(limit.window()))).collect()
                    }
                    _ => random_limits(rng, most),
                };
                line.window.set_limits(now, &limits);
                door.set_limits(&limits);
            }
            // Time passes, and stops wherever anything happens.
            _ => {
                let target = now + if rng.bool() { rng.u64(..200) } else { rng.u64(..2_000) };
                while let Some(event) = line.next_event(now).filter(|&event| event <= target) {
                    now = event;
                    clock.set(now);
                    served += settle(rng, &mut line, &mut crowd, &mut permits, now);
                }
                now = target;
                clock.set(now);
            }
        }
        served += settle(rng, &mut line, &mut crowd, &mut permits, now);
        assert_eq!(door.waiting(), line.waiting().len());
    }
    served
}

/// Polls whoever was woken, in any order; how many were admitted.
fn settle<'l, S: Subject + Clone>(
    rng: &mut fastrand::Rng,
    line: &mut Line<S>,
    crowd: &mut Crowd<Acquire<'l, Manual>>,
    permits: &mut Permits<'l>,
    now: u64,
) -> usize {
    let mut expected = line.settle(now);
    let results = crowd.settle(|woken| rng.usize(..woken));
    let mut found: Vec<_> = results.iter().map(|(id, result)| (*id, outcome(result))).collect();
    let admitted = |outcomes: &[(usize, Outcome)]| {
        let admitted = outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Admitted);
        admitted.map(|(id, _)| *id).collect::<Vec<_>>()
    };
    assert_eq!(admitted(&found), admitted(&expected), "in the order in which they came, at {now}");
    let admitted = admitted(&found).len();
    expected.sort_unstable_by_key(|(id, _)| *id);
    found.sort_unstable_by_key(|(id, _)| *id);
    for ((_, found), (_, expected)) in found.iter_mut().zip(&expected) {
        if let (Outcome::TooLate(_), Outcome::GaveUp) = (&found, expected) {
            *found = Outcome::GaveUp;
        }
    }
    assert_eq!(found, expected, "at {now}");
    permits.extend(results.into_iter().filter_map(|(id, result)| Some((id, result.ok()?))));
    admitted
}

fn random_limits(rng: &mut fastrand::Rng, most: u32) -> Vec<Limit> {
    (0..rng.usize(1..=3)).map(|_| per(rng.u32(1..=most), rng.u64(1..=1_000))).collect()
}

/// The largest limit, and whether calls take other than one unit and give it back.
const SMALL: (u32, bool) = (6, true);

/// Crowds in front of one kind of window, as plain limiters or as keys.
fn crowds<S: Subject + Clone>(
    algorithm: Algorithm,
    is_keyed: bool,
    (most, costs): (u32, bool),
    window: impl Fn(&[Limit]) -> S,
) {
    let mut served = 0;
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let limits = random_limits(&mut rng, most);
        let clock = Manual::default();
        let door = if is_keyed {
            let limiter = KeyedLimiter::builder().limits(limits.iter().copied()).algorithm(algorithm);
            Door::Keyed(limiter.clock(clock.clone()).build().expect("it has limits"))
        } else {
            let limiter = Limiter::builder().limits(limits.iter().copied()).algorithm(algorithm);
            Door::Plain(limiter.clock(clock.clone()).build().expect("it has limits"))
        };
        served += play(&mut rng, &door, &clock, window(&limits), (most, costs), 300);
    }
    assert!(served > 3_000, "{served} were admitted after a wait");
}

#[test]
fn exact_windows_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Exact, false, SMALL, Oracle::new);
}

/// Windows that never change to a log, and that have more places than a call has to look at.
#[test]
fn exact_windows_without_costs_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Exact, false, (40, false), Oracle::new);
}

#[test]
fn exact_windows_of_keys_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Exact, true, SMALL, Oracle::new);
}

#[test]
fn segmented_windows_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Segmented(3), false, SMALL, |limits| Segmented::new(limits, 3));
}

#[test]
fn segmented_windows_of_keys_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Segmented(3), true, SMALL, |limits| Segmented::of_a_key(limits, 3));
}

#[test]
fn fixed_windows_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Fixed, false, SMALL, Fixed::new);
}

#[test]
fn fixed_windows_of_keys_serve_a_crowd_as_the_words_say() {
    crowds(Algorithm::Fixed, true, SMALL, Fixed::new);
}

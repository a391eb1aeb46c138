//! A window of each key: it decides as the oracle, whoever else is about; and keys come and go.

use std::{
    hash::{Hash, Hasher},
    time::Duration,
};

use windowlimit::{
    Algorithm, KeyedLimiter, Limit, ManualClock, RateLimitExceeded, Reason, window_rate_limit,
};
use windowlimit_tests::{
    oracle::{Fixed, Oracle, Segmented},
    subject::{Subject, on_one_key},
    trace::{Move, Op, Totals, compare, random_limits},
};

windowlimit_tests::conformance!(|limits: &[Limit], run: &mut dyn FnMut(&mut dyn Subject)| {
    on_one_key(limits, Algorithm::Exact, false, |subject| run(subject));
});

/// Half a million random calls of one key.
fn traces(
    seed: u64,
    algorithm: Algorithm,
    step: impl Fn(&mut fastrand::Rng) -> (Move, Op),
    oracle: impl Fn(&[Limit]) -> Box<dyn Subject>,
) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut totals = Totals::default();
    while totals.calls < 500_000 {
        let mut rng = fastrand::Rng::with_seed(rng.u64(..));
        let limits = random_limits(&mut rng);
        let length = rng.usize(1..60);
        let trace: Vec<_> = (0..length).map(|_| step(&mut rng)).collect();
        totals += on_one_key(&limits, algorithm, false, |subject| {
            compare(subject.alone(), &mut *oracle(&limits), &limits, &trace)
        });
    }
    let Totals { calls, admitted } = totals;
    assert!(admitted > calls / 5 && admitted < calls * 4 / 5, "{admitted} of {calls}");
}

/// Whatever the clock does, as long as the limits stay.
fn with_any_clock(rng: &mut fastrand::Rng) -> (Move, Op) {
    match Op::random(rng) {
        Op::SetLimits(_) | Op::Reset => (Move::random(rng), Op::CALL),
        other => (Move::random(rng), other),
    }
}

/// Whatever happens to the limits, as long as the clock does not go back. (A change of the limits does not look at every
/// key, so it cannot know how far beyond the clock the time of one is. It then forgets too little.)
fn with_any_change(rng: &mut fastrand::Rng) -> (Move, Op) {
    match Move::random(rng) {
        Move::Back(_) | Move::Edge(_) => (Move::Edge(0), Op::random(rng)),
        other => (other, Op::random(rng)),
    }
}

#[test]
fn a_key_is_decided_as_by_the_oracle() {
    for step in [with_any_clock, with_any_change] {
        traces(0x6b65_7931, Algorithm::Exact, step, |limits| Box::new(Oracle::new(limits)));
    }
}

#[test]
fn a_key_in_segments_is_decided_as_by_the_oracle() {
    for segments in [1, 3, 10] {
        traces(0x6b65_7932, Algorithm::Segmented(segments), with_any_clock, |limits| {
            Box::new(Segmented::of_a_key(limits, segments))
        });
    }
}

#[test]
fn a_key_in_fixed_windows_is_decided_as_by_the_oracle() {
    traces(0x6b65_7933, Algorithm::Fixed, with_any_clock, |limits| Box::new(Fixed::new(limits)));
}

/// Limits that come with each call, and are others now and then: the history stays, up to the longest window.
#[test]
fn limits_that_come_with_the_call_are_decided_as_by_an_oracle_that_forgets_nothing() {
    let mut rng = fastrand::Rng::with_seed(0x6b65_7934);
    for _ in 0..20_000 {
        let all = random_limits(&mut rng);
        on_one_key(&all, Algorithm::Exact, true, |subject| {
            let (mut at, mut admissions) = (1_000_000_000, Vec::<u64>::new());
            for _ in 0..30 {
                at += rng.u64(0..200);
                let limits = random_limits(&mut rng);
                subject.set_limits(at, &limits);
                let mut oracle = Oracle::new(&limits);
                for &at in &admissions {
                    oracle.enter(at, 1);
                }
                let (found, wanted) = (subject.call(at), oracle.call(at));
                assert_eq!(found, wanted, "{limits:?} at {at} after {admissions:?}");
                if found.is_admitted() {
                    admissions.push(at);
                }
            }
        });
    }
}

/// F09, by limits that come with the call: one that is refused for its own leaves the segments of all others as they are.
#[test]
fn f09_a_call_refused_by_other_limits_delays_nobody() {
    let limit = |max, nanos| Limit::new(max, Duration::from_nanos(nanos)).expect("it is one");
    let clock = ManualClock::starting_at(2);
    let limiter = || {
        let limiter =
            KeyedLimiter::builder().limit(limit(1, 29)).algorithm(Algorithm::Segmented(3)).clock(&clock);
        limiter.build().expect("it is one")
    };
    let (quiet, asked) = (limiter(), limiter());
    for limiter in [&quiet, &asked] {
        assert!(limiter.check_for("k", &[limit(1, 5)], 1).is_ok());
    }
    assert!(asked.check_for("k", &[limit(1, 3)], 1).is_err());
    clock.set(10);
    for limiter in [&quiet, &asked] {
        assert!(limiter.check_for("k", &[limit(1, 5)], 1).is_ok());
    }
}

/// Segments of changing lengths are never over: what they admit has room in an exact window that forgets nothing.
#[test]
fn limits_that_come_with_the_call_are_never_exceeded_in_segments() {
    let mut rng = fastrand::Rng::with_seed(0x6b65_7935);
    let (mut admitted, mut calls) = (0, 0);
    for _ in 0..20_000 {
        let all = random_limits(&mut rng);
        let segments = *rng.choice(&[1, 3, 10]).expect("there are some");
        on_one_key(&all, Algorithm::Segmented(segments), true, |subject| {
            let (mut at, mut admissions) = (1_000_000_000, Vec::<u64>::new());
            for _ in 0..30 {
                at += rng.u64(0..200);
                let limits = random_limits(&mut rng);
                subject.set_limits(at, &limits);
                let mut exact = Oracle::new(&limits);
                for &at in &admissions {
                    exact.enter(at, 1);
                }
                calls += 1;
                if subject.call(at).is_admitted() {
                    assert_eq!(exact.room_at(at, 1), at, "{limits:?} at {at} after {admissions:?}");
                    admissions.push(at);
                    admitted += 1;
                }
            }
        });
    }
    assert!(admitted > calls / 10 && admitted < calls * 9 / 10, "{admitted} of {calls}");
}

#[test]
fn a_fixed_window_remembers_while_other_limits_come_with_the_calls() {
    let clock = ManualClock::new();
    let limiter = KeyedLimiter::builder().longest(Duration::from_secs(86_400)).algorithm(Algorithm::Fixed);
    let limiter = limiter.clock(&clock).build().expect("it has a longest window");
    let (hour, minute) = ([Limit::per_hour(5)], [Limit::per_minute(9)]);
    assert!(limiter.check_for("a", &hour, 5).is_ok());
    assert!(limiter.check_for("a", &minute, 4).is_ok());
    clock.advance(Duration::from_secs(120));
    assert!(limiter.check_for("a", &minute, 1).is_ok(), "the minute is over");
    assert!(limiter.check_for("a", &hour, 1).is_err(), "the hour is not");
}

#[test]
fn an_idle_key_is_kept_for_a_window_more_while_there_is_room() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(2), 100_000, &clock);
    let brings_others = |round: u64| (0..2_000).all(|key| limiter.check(&(round, key)).is_ok());
    assert!(limiter.check("a").is_ok());
    clock.advance(Duration::from_secs(61));
    assert!(brings_others(1));
    assert_eq!(limiter.len(), 2_001, "`a` may come back");
    clock.advance(Duration::from_secs(60));
    assert!(brings_others(2));
    assert_eq!(limiter.len(), 4_000, "`a` did not; the others may");
}

fn limiter(limit: Limit, max_keys: usize, clock: &ManualClock) -> KeyedLimiter<&ManualClock> {
    let limiter = KeyedLimiter::builder().name("door").limit(limit).max_keys(max_keys).clock(clock);
    limiter.build().expect("it has a limit")
}

#[test]
fn f55_a_flood_of_new_keys_does_not_push_out_the_exhausted_one() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(2), 1_000, &clock);
    assert!(limiter.check("attacker").is_ok() && limiter.check("attacker").is_ok());
    let refused: Vec<_> = (0..10_000).filter_map(|key| limiter.check(&key).err()).collect();
    assert_eq!(refused.len(), 10_000 - 999);
    assert!(
        refused
            .iter()
            .all(|refusal| refusal.reason() == Reason::TooManyKeys && refusal.retry_after().is_none())
    );
    assert_eq!(
        format!("{:#}", refused[0]),
        "Too many requests, please try again later. (`door` holds 1000 keys, the most it may, and this one is new)"
    );
    assert_eq!(limiter.check("attacker").unwrap_err().reason(), Reason::WindowFull);
    // Nobody else is affected.
    assert!(limiter.check(&1).is_ok());
    assert_eq!(limiter.len(), 1_000);
}

#[test]
fn f57_a_key_is_kept_for_its_window() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_hour(10), 100_000, &clock);
    // One call each 20 s, and others all the time that give back what is idle.
    for call in 0..400_u64 {
        let admitted = limiter.check("slow").is_ok();
        assert_eq!(admitted, call % 180 < 10, "call {call}");
        for other in 0..20 {
            let _ = limiter.check(&(call, other));
        }
        clock.advance(Duration::from_secs(20));
    }
}

#[test]
fn f58_a_key_of_a_megabyte_is_a_key_like_any_other() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 10, &clock);
    let (long, longer) = ("a".repeat(1 << 20), "a".repeat((1 << 20) + 1));
    assert!(limiter.check(&long).is_ok() && limiter.check(&longer).is_ok());
    assert!(limiter.check(long.as_str()).is_err());
    assert_eq!(limiter.len(), 2);
}

#[test]
fn f59_f60_f61_keys_are_told_apart_and_never_tidied() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 100, &clock);
    assert!(limiter.check(&("a", "bc")).is_ok() && limiter.check(&("ab", "c")).is_ok());
    for key in ["jos\u{e9}", "jose", "JOSE", "jose ", "", " "] {
        assert!(limiter.check(key).is_ok(), "{key:?}");
        assert!(limiter.check(key).is_err(), "{key:?}");
    }
}

#[test]
fn f62_a_bound_of_zero_refuses_every_key() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 0, &clock);
    assert_eq!(limiter.check("a").unwrap_err().reason(), Reason::TooManyKeys);
    assert!(limiter.is_empty());
}

#[test]
fn idle_keys_make_room_for_new_ones_at_the_bound() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 10, &clock);
    for round in 0..100 {
        assert!((0..10).all(|key| limiter.check(&(round, key)).is_ok()), "round {round}");
        assert_eq!(limiter.check(&(round, 10)).unwrap_err().reason(), Reason::TooManyKeys);
        clock.advance(Duration::from_secs(60));
    }
}

#[test]
fn what_was_given_back_stays_so_when_the_clock_goes_back() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 1, &clock);
    clock.set(1_000_000_000_000);
    assert!(limiter.check("a").is_ok());
    clock.advance(Duration::from_secs(60));
    assert!(limiter.check("b").is_ok(), "`a` has made room");
    limiter.remove("b");
    clock.set(1_000_000_000_000);
    let permit = limiter.try_acquire("a").expect("it was given back");
    // Not a minute from where the clock is: time does not go back behind what was given back.
    assert_eq!(permit.reset_after(), Duration::from_secs(120));
}

#[test]
fn refused_calls_and_calls_that_cost_nothing_hold_no_key() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(2), 10, &clock);
    assert!(limiter.check_n("a", 3).is_err() && limiter.check_n("b", 0).is_ok());
    assert!(limiter.is_empty());
    assert_eq!(limiter.usage("a").remaining(), 2);
    assert!(limiter.is_empty());
}

#[test]
fn a_key_is_removed_and_all_are_reset() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 10, &clock);
    let permits: Vec<_> = (0..3).map(|key| limiter.try_acquire(&key).expect("it is new")).collect();
    assert!(limiter.remove(&1) && !limiter.remove(&1));
    assert_eq!(limiter.len(), 2);
    assert!(limiter.check(&1).is_ok() && limiter.check(&0).is_err());
    limiter.reset();
    assert!(limiter.is_empty());
    assert!((0..3).all(|key| limiter.check(&key).is_ok()));
    permits.into_iter().for_each(windowlimit::Permit::refund);
    assert!((0..3).all(|key| limiter.check(&key).is_err()), "permits from before a reset give nothing back");
}

#[test]
fn limits_change_for_all_keys_and_the_history_stays() {
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(6), Algorithm::Fixed] {
        let clock = ManualClock::new();
        let limiter = KeyedLimiter::builder().limit(Limit::per_minute(10)).algorithm(algorithm).clock(&clock);
        let limiter = limiter.build().expect("it has a limit");
        assert_eq!((0..7).filter(|_| limiter.check("a").is_ok()).count(), 7);
        limiter.set_limits([Limit::per_minute(5)]).expect("it is one");
        assert!(limiter.check("a").is_err() && limiter.usage("a").live() == 7, "{algorithm:?}");
        limiter.set_limits([Limit::per_minute(10), Limit::per_hour(20)]).expect("they are some");
        assert_eq!((0..9).filter(|_| limiter.check("a").is_ok()).count(), 3, "{algorithm:?}");
        clock.advance(Duration::from_secs(75));
        assert_eq!((0..30).filter(|_| limiter.check("a").is_ok()).count(), 10, "{algorithm:?}");
        assert_eq!(limiter.check("a").unwrap_err().limit(), 20, "{algorithm:?}");
        assert!(limiter.set_limits([]).is_err());
        assert_eq!(limiter.limits().len(), 2);
    }
}

#[test]
fn limits_that_come_with_a_call_are_checked() {
    static API: KeyedLimiter = KeyedLimiter::for_longest("api", Duration::from_secs(60));
    let refusal = API.check_for("a", &[Limit::per_hour(5)], 1).unwrap_err();
    assert_eq!(refusal.reason(), Reason::Misconfigured);
    assert!(format!("{refusal:#}").contains("longer"), "{refusal:#}");
    assert_eq!(API.check_for("a", &[], 1).unwrap_err().reason(), Reason::Misconfigured);
    assert_eq!(API.check("a").unwrap_err().reason(), Reason::Misconfigured);
    assert_eq!(API.check_for("a", &[Limit::per_minute(5)], 6).unwrap_err().reason(), Reason::NeverFits);
    assert!(API.check_for("a", &[Limit::per_minute(5)], 5).is_ok());
    assert_eq!(
        KeyedLimiter::for_longest("none", Duration::ZERO)
            .check_for("a", &[Limit::per_second(1)], 1)
            .unwrap_err()
            .reason(),
        Reason::Misconfigured
    );
}

static ONE: KeyedLimiter = KeyedLimiter::new("one", Limit::per_hour(100)).with_max_keys(16);

/// A key whose hash makes a limited call of the same limiter, and with so few shards now and then in the same one.
struct Nosy(u64);

impl Hash for Nosy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        assert!(ONE.check(&self.0.wrapping_mul(7)).is_ok() || ONE.len() == 16);
        self.0.hash(state);
    }
}

#[test]
fn f31_no_lock_is_held_while_the_users_code_runs() {
    #[window_rate_limit(limiter = ONE, key = depth, fallback = ONE.check(&(depth + 1)).is_ok())]
    fn recursive(depth: u64) -> bool {
        depth == 0 || recursive(depth - 1)
    }

    for key in 0..200 {
        let _ = ONE.check(&Nosy(key));
    }
    for _ in 0..300 {
        let _: bool = recursive(5);
    }
    assert!(ONE.len() <= 16);
}

#[test]
fn it_says_what_it_is() {
    let clock = ManualClock::new();
    let limiter = limiter(Limit::per_minute(1), 10, &clock);
    assert!(limiter.check("a").is_ok());
    assert_eq!(
        format!("{limiter:?}"),
        "KeyedLimiter { name: \"door\", limits: [Limit(1/1m)], algorithm: Exact, len: 1, max_keys: 10, .. }"
    );
    let refusal: RateLimitExceeded = limiter.check("a").unwrap_err();
    assert_eq!(
        (refusal.name(), refusal.limit(), refusal.retry_after()),
        ("door", 1, Some(Duration::from_secs(60)))
    );
    assert!(KeyedLimiter::builder().build().is_err());
}

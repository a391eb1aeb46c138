//! Concurrency that can be staged on one thread: the clock is read between the look at the window and the claim, so
//! a clock that makes calls of its own is other threads that come in between.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use windowlimit::{Algorithm, Clock, Limit, Limiter, ManualClock, Permit};

const S: u64 = 1_000_000_000;

type Intrusion = Mutex<Option<Box<dyn FnOnce() + Send>>>;

/// A clock that lets others in, once, before the next reading is made, or after it and before the caller has it.
#[derive(Default)]
struct Intruded {
    time: ManualClock,
    before: Intrusion,
    intrusion: Intrusion,
}

fn intrude(intrusion: &Intrusion) {
    let intrusion = intrusion.lock().expect("no intrusion panics under the lock").take();
    if let Some(intrusion) = intrusion {
        intrusion();
    }
}

impl Clock for Intruded {
    fn now(&self) -> u64 {
        intrude(&self.before);
        let reading = self.time.now();
        intrude(&self.intrusion);
        reading
    }
}

type Staged = Limiter<Arc<Intruded>>;

/// A limiter at 10 s, and its clock.
fn stage(limits: &[Limit]) -> (Arc<Staged>, Arc<Intruded>) {
    let clock = Arc::new(Intruded::default());
    clock.time.set(10 * S);
    let limiter = Limiter::builder().limits(limits.iter().copied()).clock(clock.clone());
    (Arc::new(limiter.build().expect("it has limits")), clock)
}

/// While the next caller stalls, the clock moves on and others make calls.
fn while_stalled(limiter: &Arc<Staged>, clock: &Arc<Intruded>, passes: Duration, calls: usize) {
    let (limiter, moved) = (limiter.clone(), clock.clone());
    let intrusion = move || {
        moved.time.advance(passes);
        admitted(&limiter, calls);
    };
    *clock.intrusion.lock().expect("nobody panicked") = Some(Box::new(intrusion));
}

fn admitted(limiter: &Staged, calls: usize) -> usize {
    (0..calls).filter(|_| limiter.check().is_ok()).count()
}

#[test]
fn f24_a_stalled_caller_that_was_overtaken_is_not_entered_in_the_past() {
    let (limiter, clock) = stage(&[Limit::per_second(1)]);
    while_stalled(&limiter, &clock, Duration::from_millis(900), 1);
    // It had read 10.0 s when it stalled, and another was admitted at 10.9 s.
    let refusal = limiter.check().expect_err("the other one has the unit");
    assert_eq!(refusal.retry_after(), Some(Duration::from_secs(1)));
    clock.time.set(11 * S + S / 10 * 9 - 1);
    assert_eq!(admitted(&limiter, 1), 0);
    clock.time.set(11 * S + S / 10 * 9);
    assert_eq!(admitted(&limiter, 2), 1);
}

#[test]
fn a_caller_that_was_overtaken_is_entered_after_the_others() {
    let (limiter, clock) = stage(&[Limit::per_second(2)]);
    while_stalled(&limiter, &clock, Duration::from_millis(900), 1);
    let permit = limiter.try_acquire().expect("there was room for two");
    assert_eq!(permit.remaining(), 0, "the permit knows of the one that came between");
    assert_eq!(permit.reset_after(), Duration::from_secs(1));
    clock.time.set(11 * S + S / 10 * 9 - 1);
    assert_eq!(admitted(&limiter, 1), 0, "neither was entered at 10.0 s");
}

#[test]
fn a_caller_that_would_be_refused_looks_again_when_it_was_overtaken() {
    // It finds the window full at 10 s. While it stalls, the window empties and two others come.
    let (limiter, clock) = stage(&[Limit::per_second(3)]);
    assert_eq!(admitted(&limiter, 3), 3);
    while_stalled(&limiter, &clock, Duration::from_secs(1), 2);
    assert!(limiter.check().is_ok(), "there is room for a third");
    assert_eq!(admitted(&limiter, 1), 0);
}

#[test]
fn usage_looks_again_when_it_was_overtaken() {
    let (limiter, clock) = stage(&[Limit::per_second(2)]);
    while_stalled(&limiter, &clock, Duration::ZERO, 1);
    assert_eq!(limiter.usage().live(), 1);
}

#[test]
fn others_that_grow_the_window_under_a_stalled_caller_lose_nothing() {
    for max in [1, 6, 7, 8, 27, 28, 29, 112, 113, 200] {
        for before in [0, 5, 6, 7, 8, 27, 28, 29, 111, 112, 113] {
            for others in [1, 2, 7, 8, 30, 200] {
                let (limiter, clock) = stage(&[Limit::per_second(max)]);
                let max = max as usize;
                assert_eq!(admitted(&limiter, before), before.min(max));
                while_stalled(&limiter, &clock, Duration::ZERO, others);
                let admitted_last = limiter.check().is_ok();
                assert_eq!(
                    admitted_last,
                    before + others < max,
                    "{before} before, {others} others, limit {max}"
                );
                assert_eq!(limiter.usage().live() as usize, (before + others + 1).min(max));
                assert_eq!(admitted(&limiter, 300), max.saturating_sub(before + others + 1));
                clock.time.advance(Duration::from_secs(1));
                assert_eq!(admitted(&limiter, 300), max);
            }
        }
    }
}

#[test]
fn several_limits_are_one_decision_also_when_overtaken() {
    let (limiter, clock) = stage(&[Limit::per_second(3), Limit::per_minute(2)]);
    while_stalled(&limiter, &clock, Duration::from_millis(10), 2);
    let refusal = limiter.check().expect_err("the minute is full");
    assert_eq!((refusal.limit(), refusal.retry_after()), (2, Some(Duration::from_secs(60))));
}

#[test]
fn f28_a_permit_goes_to_another_thread() {
    fn goes_everywhere<T: Send + Sync>() {}
    goes_everywhere::<Permit<'_>>();
    goes_everywhere::<Limiter>();

    let limiter = Limiter::builder().limit(Limit::per_hour(5)).build().unwrap();
    let permit = limiter.try_acquire().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!((permit.remaining(), limiter.usage().remaining()), (4, 4)));
    });
}

/// The stall comes before the reading: the call is decided at an instant at which all that others took has left.
#[test]
fn a_caller_that_stalls_before_it_reads_the_clock_finds_what_has_left_gone() {
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let clock = Arc::new(Intruded::default());
        clock.time.set(10 * S);
        let limiter =
            Limiter::builder().limit(Limit::per_minute(5)).algorithm(algorithm).clock(clock.clone());
        let limiter = Arc::new(limiter.build().expect("it has a limit"));
        assert_eq!(admitted(&limiter, 1), 1);
        clock.time.advance(Duration::from_secs(300));
        let (others, moved) = (limiter.clone(), clock.clone());
        *clock.before.lock().expect("nobody panicked") = Some(Box::new(move || {
            assert_eq!(admitted(&others, 9), 5);
            moved.time.advance(Duration::from_secs(300));
        }));
        assert!(limiter.check().is_ok(), "{algorithm:?}");
        assert_eq!(limiter.usage().live(), 1, "{algorithm:?}");
    }
}

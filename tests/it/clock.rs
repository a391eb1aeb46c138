//! Clocks that behave, and clocks that do not.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{Algorithm, Clock, KeyedLimiter, Limit, Limiter, ManualClock, QuantaClock, SystemClock};

const S: u64 = 1_000_000_000;

fn limiter(limit: Limit) -> (Limiter<Arc<ManualClock>>, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new());
    let limiter = Limiter::builder().limit(limit).clock(clock.clone()).build().expect("it has a limit");
    (limiter, clock)
}

fn admitted(limiter: &Limiter<Arc<ManualClock>>, calls: usize) -> usize {
    (0..calls).filter(|_| limiter.check().is_ok()).count()
}

#[test]
fn f32_a_clock_that_goes_back_frees_nothing_early() {
    let (limiter, clock) = limiter(Limit::new(5, Duration::from_secs(3)).unwrap());
    clock.set(100 * S);
    assert_eq!(admitted(&limiter, 1), 1);
    clock.set(95 * S);
    assert_eq!(admitted(&limiter, 9), 4);
    // They were entered no earlier than the first: nothing is free until a window after it.
    clock.set(103 * S - 1);
    assert_eq!(admitted(&limiter, 9), 0);
    clock.set(103 * S);
    assert_eq!(admitted(&limiter, 9), 5);
}

#[test]
fn f33_readings_that_alternate_make_no_unit() {
    let (limiter, clock) = limiter(Limit::per_second(4));
    let readings = (0..200).map(|i| if i % 2 == 0 { 50 * S + i } else { 50 * S - 10_000 - i });
    let total: usize = readings
        .map(|reading| {
            clock.set(reading);
            admitted(&limiter, 1)
        })
        .sum();
    assert_eq!(total, 4);
}

#[test]
fn f36_a_clock_past_the_end_of_time_stands_still() {
    let (limiter, clock) = limiter(Limit::per_second(2));
    for end in [u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 2] {
        clock.set(end);
        let _ = limiter.usage();
        let _ = limiter.check();
    }
    assert_eq!(admitted(&limiter, 10), 0, "two were admitted above, and no time has passed since");
    assert_eq!(limiter.check().unwrap_err().retry_after(), Some(Duration::from_secs(1)));
}

#[test]
fn a_reading_of_zero_is_an_instant_like_any_other() {
    let (limiter, clock) = limiter(Limit::per_second(2));
    clock.set(0);
    assert_eq!(admitted(&limiter, 5), 2);
    assert_eq!(limiter.check().unwrap_err().retry_after(), Some(Duration::from_secs(1)));
    clock.set(S - 1);
    assert_eq!(admitted(&limiter, 5), 0);
    clock.set(S);
    assert_eq!(admitted(&limiter, 5), 2);
}

#[test]
fn a_manual_clock_stops_at_the_end_instead_of_turning_over() {
    let clock = ManualClock::starting_at(u64::MAX - 5);
    clock.advance(Duration::from_secs(1));
    assert_eq!(clock.now(), u64::MAX);
    clock.advance(Duration::MAX);
    assert_eq!(clock.now(), u64::MAX);
}

#[test]
fn the_system_clock_starts_well_above_zero_and_does_not_decrease() {
    let mut last = SystemClock.now();
    assert!(last >= S);
    for _ in 0..10_000 {
        let now = SystemClock.now();
        assert!(now >= last);
        last = now;
    }
}

#[test]
fn clocks_are_shared_by_reference_and_by_arc() {
    static CLOCK: ManualClock = ManualClock::new();
    static LIMITER: Limiter<&ManualClock> = Limiter::with_clock("static", &[Limit::per_second(1)], &CLOCK);
    assert!(LIMITER.check().is_ok());
    assert!(LIMITER.check().is_err());
    CLOCK.advance(Duration::from_secs(1));
    assert!(LIMITER.check().is_ok());
    assert_eq!(format!("{:?}", ManualClock::new()), "ManualClock(1s)");
}

/// On Linux and macOS the clock stands while the machine sleeps, on Windows it goes on; the documentation says so. Either
/// way no window of that clock holds more than the limit.
#[test]
fn f35_a_machine_that_sleeps_resumes_where_its_clock_is() {
    for slept_on_the_clock in [Duration::ZERO, Duration::from_secs(3_600)] {
        let (limiter, clock) = limiter(Limit::per_minute(5));
        assert_eq!(admitted(&limiter, 9), 5);
        clock.advance(Duration::from_secs(1) + slept_on_the_clock);
        let counts_again = if slept_on_the_clock.is_zero() { 0 } else { 5 };
        assert_eq!(admitted(&limiter, 9), counts_again);
        clock.advance(Duration::from_secs(59));
        assert_eq!(admitted(&limiter, 9), 5 - counts_again);
    }
}

#[test]
fn the_processor_s_counter_admits_as_many_as_the_limit_says_and_says_when_the_next() {
    let hour = Duration::from_secs(3_600);
    let limiter =
        Limiter::builder().limit(Limit::new(1_000, hour).unwrap()).clock(QuantaClock).build().unwrap();
    let calls = || (0..800).filter(|_| limiter.check().is_ok()).count();
    let started = QuantaClock.now();
    let admitted: usize = thread::scope(|scope| {
        let crew: Vec<_> = (0..4).map(|_| scope.spawn(calls)).collect();
        crew.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let refusal = limiter.check().unwrap_err();
    assert_eq!(admitted, 1_000);
    // The first was admitted since then: an hour after it there is room.
    let elapsed = Duration::from_nanos(QuantaClock.now() - started);
    let retry_after = refusal.retry_after().unwrap();
    assert!(retry_after <= hour && retry_after + elapsed >= hour, "{retry_after:?} after {elapsed:?}");
}

/// Not its ticks, of which there are some in a nanosecond, or some nanoseconds in one. The readings of the system stand
/// around and between those of the counter, so that it does not matter what else the machine does. How far the two may be
/// apart is in the documentation of the clock, and cannot be promised.
#[test]
fn the_processor_s_counter_counts_nanoseconds() {
    let (before, counted, after) = (SystemClock.now(), QuantaClock.now(), SystemClock.now());
    assert!(counted >= S, "it starts above zero, as every clock here");
    for _ in 0..100_000 {
        QuantaClock.now();
    }
    let (inner, counted, outer) =
        (SystemClock.now() - after, QuantaClock.now() - counted, SystemClock.now() - before);
    assert!(
        inner * 4 / 5 <= counted && counted <= outer * 6 / 5,
        "{counted} ns, where {inner} to {outer} have passed"
    );
}

/// A clock that does not know the time when it is told so.
#[derive(Debug, Default)]
struct Panics {
    time: ManualClock,
    is_due: AtomicBool,
}

impl Clock for Panics {
    fn now(&self) -> u64 {
        assert!(!self.is_due.load(Ordering::Relaxed), "what time is it?");
        self.time.now()
    }
}

impl Panics {
    fn during<R>(&self, call: impl FnOnce() -> R) {
        self.is_due.store(true, Ordering::Relaxed);
        assert!(catch_unwind(AssertUnwindSafe(call)).is_err(), "it was asked for the time");
        self.is_due.store(false, Ordering::Relaxed);
    }
}

const WINDOWS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(4), Algorithm::Fixed];

#[test]
fn a_call_whose_clock_panics_was_never_made() {
    for algorithm in WINDOWS {
        for had_costs in [false, true] {
            let limiter = Limiter::builder().limit(Limit::per_second(2)).algorithm(algorithm);
            let limiter = limiter.clock(Panics::default()).build().expect("it has a limit");
            if had_costs {
                // From here on a window that knows them.
                assert!(limiter.check_n(2).is_ok());
                limiter.clock().time.advance(Duration::from_secs(2));
            }
            for live in 0..=2 {
                limiter.clock().during(|| limiter.check());
                limiter.clock().during(|| limiter.try_acquire());
                limiter.clock().during(|| limiter.check_n(2));
                assert_eq!(limiter.usage().live(), live, "{algorithm:?}");
                assert_eq!(limiter.check().is_ok(), live < 2, "{algorithm:?}");
            }
        }
    }
}

#[test]
fn a_key_whose_clock_panics_was_never_there() {
    for algorithm in WINDOWS {
        let limiter = KeyedLimiter::builder().limit(Limit::per_second(2)).algorithm(algorithm).max_keys(1);
        let limiter = limiter.clock(Panics::default()).build().expect("it has a limit");
        let clock = limiter.clock();
        for round in 0..3 {
            clock.during(|| limiter.check("one"));
            clock.during(|| limiter.try_acquire("one"));
            assert_eq!(limiter.len(), 0, "{algorithm:?}, round {round}");
            // There is one place, and nobody has it.
            assert!(limiter.check("other").is_ok() && limiter.check("one").is_err());
            clock.during(|| limiter.check("other"));
            clock.during(|| limiter.check("one"));
            assert_eq!((limiter.len(), limiter.usage("other").live()), (1, 1));
            assert!(limiter.check("other").is_ok() && limiter.check("other").is_err());
            // It still stands in the queue then, as one that was removed.
            assert!(limiter.remove("other"));
            clock.during(|| limiter.check("other"));
            assert_eq!(limiter.len(), 0);
        }
    }
}

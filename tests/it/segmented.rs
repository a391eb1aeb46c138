//! The segmented window decides as its oracle, never admits more than the exact one, and is never later than a segment.

use std::time::Duration;

use windowlimit::{Algorithm, Clock, Limit, Limiter, ManualClock};
use windowlimit_tests::{
    oracle::{Oracle, Segmented},
    subject::{Answer, Subject, nanos, on_manual_clock},
    trace::{Move, Op, Totals, compare, random_limits},
};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A limiter whose clock stands at a border of its segments.
fn limiter(max: u32, window: Duration, segments: u32, clock: &ManualClock) -> Limiter<&ManualClock> {
    let limit = Limit::new(max, window).expect("the window is above zero");
    // A limiter's instants are its clock's readings and one.
    clock.set(nanos(window) * 1_000 - 1);
    let limiter = Limiter::builder().limit(limit).algorithm(Algorithm::Segmented(segments)).clock(clock);
    limiter.build().expect("it has segments")
}

fn admitted(limiter: &Limiter<&ManualClock>, calls: usize) -> usize {
    (0..calls).filter(|_| limiter.check().is_ok()).count()
}

#[test]
fn f15_a_unit_leaves_when_the_end_of_its_segment_does() {
    let clock = ManualClock::new();
    let limiter = limiter(5, ms(1_000), 10, &clock);
    clock.advance(ms(99));
    assert_eq!(admitted(&limiter, 9), 5);
    // The start of their segment has left the window.
    clock.advance(ms(901));
    assert_eq!(admitted(&limiter, 9), 0);
    assert_eq!(limiter.check().unwrap_err().retry_after(), Some(ms(100)));
    clock.advance(ms(100) - Duration::from_nanos(1));
    assert_eq!(limiter.check().unwrap_err().retry_after(), Some(Duration::from_nanos(1)));
    clock.advance(Duration::from_nanos(1));
    assert_eq!(admitted(&limiter, 9), 5);
}

#[test]
fn f16_borders_do_not_depend_on_the_calls() {
    let clock = ManualClock::new();
    let limiter = limiter(5, ms(1_000), 10, &clock);
    let limit = Limit::per_second(5);
    let mut oracle = Segmented::new(&[limit], 10);
    for _ in 0..=34 {
        let wanted = oracle.call(clock.now()).is_admitted();
        assert_eq!(limiter.check().is_ok(), wanted);
        clock.advance(ms(90));
    }
}

#[test]
fn f17_the_live_count_is_right_for_every_interval() {
    for interval in 1..=40 {
        let clock = ManualClock::new();
        let limiter = limiter(7, ms(1_000), 10, &clock);
        let mut oracle = Segmented::new(&[Limit::per_second(7)], 10);
        for _ in 0..60 {
            let at = clock.now();
            assert_eq!(limiter.usage().live(), oracle.usage(at).live, "every {} ms", interval * 50);
            assert_eq!(limiter.check().is_ok(), oracle.call(at).is_admitted());
            clock.advance(ms(interval * 50));
        }
    }
}

#[test]
fn f18_skipped_segments_add_nothing() {
    let clock = ManualClock::new();
    let limiter = limiter(10, ms(1_000), 10, &clock);
    assert_eq!(admitted(&limiter, 6), 6);
    clock.advance(ms(250));
    assert_eq!(admitted(&limiter, 9), 4);
    clock.advance(ms(10_000));
    assert_eq!(limiter.usage().live(), 0);
    assert_eq!(admitted(&limiter, 19), 10);
}

#[test]
fn f19_a_long_silence_is_one_step() {
    let clock = ManualClock::new();
    let limiter = limiter(10, ms(1_000), 10, &clock);
    assert_eq!(admitted(&limiter, 10), 10);
    for _ in 0..3 {
        clock.advance(ms(1_000_000));
        let mut admitted_now = 0;
        for _ in 0..11 {
            admitted_now += admitted(&limiter, 1);
            clock.advance(ms(1));
        }
        assert_eq!(admitted_now, 10);
    }
}

#[test]
fn f21_usage_and_a_call_see_the_same_units() {
    let clock = ManualClock::new();
    let limiter = limiter(3, ms(1_000), 10, &clock);
    assert_eq!(admitted(&limiter, 3), 3);
    clock.advance(ms(1_100) - Duration::from_nanos(1));
    assert_eq!((limiter.usage().live(), admitted(&limiter, 1)), (3, 0));
    clock.advance(Duration::from_nanos(1));
    assert_eq!((limiter.usage().live(), admitted(&limiter, 1)), (0, 1));
}

#[test]
fn f22_a_window_that_its_segments_do_not_divide_is_late_and_never_early() {
    let clock = ManualClock::new();
    let limiter = limiter(4, ms(1_000), 3, &clock);
    for _ in 0..50 {
        assert_eq!(admitted(&limiter, 9), 4);
        let wait = limiter.check().unwrap_err().retry_after().expect("it comes free");
        let segment = Duration::from_nanos(333_333_334);
        assert!(wait >= ms(1_000) && wait <= ms(1_000) + segment, "{wait:?}");
        clock.advance(wait);
    }
}

#[test]
fn f38_six_hundred_million_are_exactly_so_many() {
    let clock = ManualClock::new();
    let limiter = limiter(600_000_000, ms(1_000), 10, &clock);
    assert!(limiter.check_n(599_999_999).is_ok());
    assert_eq!(admitted(&limiter, 9), 1);
    clock.advance(ms(1_100));
    assert!(limiter.check_n(600_000_000).is_ok());
    assert!(limiter.check().is_err());
}

#[test]
fn the_largest_limit_is_counted_over_many_windows() {
    let clock = ManualClock::new();
    let limiter = limiter(u32::MAX, ms(1_000), 4, &clock);
    for _ in 0..20 {
        assert!(limiter.check_n(u32::MAX - 1).is_ok());
        assert_eq!(admitted(&limiter, 9), 1);
        clock.advance(ms(1_250));
    }
}

#[test]
fn f43_a_cost_above_the_limit_can_never_fit() {
    let clock = ManualClock::new();
    let limiter = limiter(10, ms(1_000), 10, &clock);
    let refusal = limiter.check_n(11).unwrap_err();
    assert_eq!((refusal.reason(), refusal.retry_after()), (windowlimit::Reason::NeverFits, None));
    assert_eq!(limiter.usage().remaining(), 10);
}

#[test]
fn f48_a_reset_voids_the_permits_from_before() {
    let clock = ManualClock::new();
    let limiter = limiter(3, ms(1_000), 10, &clock);
    let permits: Vec<_> = (0..3).map(|_| limiter.try_acquire().unwrap()).collect();
    limiter.reset();
    assert_eq!(admitted(&limiter, 2), 2);
    permits.into_iter().for_each(windowlimit::Permit::refund);
    assert_eq!(admitted(&limiter, 9), 1);
}

#[test]
fn segments_can_be_given_by_their_length() {
    let limit = Limit::new(5, ms(1_000)).unwrap();
    let by_length =
        |length| Limiter::builder().limit(limit).algorithm(Algorithm::SegmentedBy(length)).build();
    assert!(by_length(ms(100)).is_ok() && by_length(Duration::MAX).is_ok());
    for length in [Duration::ZERO, Duration::from_nanos(1)] {
        let error = by_length(length).unwrap_err();
        assert_eq!(error.to_string(), "wanted a window of 1 to 100000 segments, found none or more");
    }
    on_manual_clock(&[limit], Algorithm::SegmentedBy(ms(300)), true, |subject| {
        // Four segments, since three of 300 ms are too short.
        assert!(subject.call(1_000_000_000_000 - 1).is_admitted());
        assert_eq!(subject.usage(1_000_000_000_000 - 1).reset_after, 1_250_000_000);
    });
}

#[test]
fn a_window_of_no_segments_or_too_many_is_misconfigured() {
    static NONE: Limiter = Limiter::new("none", Limit::per_minute(5)).with_algorithm(Algorithm::Segmented(0));
    let refusal = NONE.check().unwrap_err();
    assert_eq!(refusal.reason(), windowlimit::Reason::Misconfigured);
    assert!(format!("{refusal:#}").contains("wanted a window of 1 to 100000 segments"), "{refusal:#}");
    assert!(NONE.check().is_err() && NONE.usage().remaining() == 0);
}

/// A million steps against the oracle, with costs, refunds and changes of the limits; every so often a segment is a
/// nanosecond, so that their numbers run out.
#[test]
fn a_million_calls_are_answered_as_by_the_oracle() {
    let mut rng = fastrand::Rng::with_seed(0x7365_676d);
    let mut totals = Totals::default();
    while totals.calls < 1_000_000 {
        let mut rng = fastrand::Rng::with_seed(rng.u64(..));
        let limits = random_limits(&mut rng);
        let segments = *rng.choice(&[1, 2, 3, 7, 10, 64]).expect("there are some");
        let length = rng.usize(1..60);
        let trace: Vec<_> = (0..length).map(|_| (Move::random(&mut rng), Op::random(&mut rng))).collect();
        totals += on_manual_clock(&limits, Algorithm::Segmented(segments), true, |subject| {
            compare(subject, &mut Segmented::new(&limits, segments), &limits, &trace)
        });
    }
    let Totals { calls, admitted } = totals;
    assert!(admitted > calls / 5 && admitted < calls * 4 / 5, "{admitted} of {calls}");
}

/// The promise itself, for a clock that does not go back: what is admitted has room in an exact window, and what is
/// refused has none there until a segment before the time that the refusal tells. Units are given back, and the limit
/// changes; while its window stays, so do the segments.
#[test]
fn a_million_calls_are_never_over_and_never_more_than_a_segment_late() {
    let mut rng = fastrand::Rng::with_seed(0x006c_6174);
    let (mut admitted, mut refused) = (0, 0);
    while admitted + refused < 1_000_000 {
        let window = Duration::from_nanos(rng.u64(1..=1_000));
        let mut limit = Limit::new(rng.u32(1..=9), window).unwrap();
        let segments = rng.u32(1..=12);
        let segment = nanos(window).div_ceil(u64::from(segments));
        on_manual_clock(&[limit], Algorithm::Segmented(segments), true, |subject| {
            let mut exact = Oracle::new(&[limit]);
            let (mut at, mut admissions) = (1_000, 0);
            for number in 0..40 {
                at += rng.u64(0..=nanos(window) / 3 + 1);
                match rng.u8(..10) {
                    0 if admissions > 0 => {
                        let admission = rng.usize(..admissions);
                        subject.refund(at, admission);
                        exact.refund(at, admission);
                    }
                    1 => {
                        limit = Limit::new(rng.u32(1..=9), window).unwrap();
                        subject.set_limits(at, &[limit]);
                        exact.set_limits(at, &[limit]);
                    }
                    _ => {}
                }
                let cost = rng.u32(1..=limit.max());
                let room_at = exact.room_at(at, cost);
                match subject.claim(at, cost) {
                    Answer::Admitted { .. } => {
                        assert_eq!(room_at, at, "over the limit in call {number}");
                        exact.enter(at, cost);
                        admissions += 1;
                        admitted += 1;
                    }
                    Answer::Refused { retry_after, .. } => {
                        let late = at + retry_after - room_at;
                        assert!(late <= segment, "{late} after the exact window, segments of {segment}");
                        refused += 1;
                    }
                    Answer::Never => unreachable!("each cost fits"),
                }
            }
        });
    }
    assert!(admitted > 100_000 && refused > 100_000, "{admitted}, {refused}");
}

/// The shortest and the longest windows, of one segment and of the most, on a clock that jumps between the ends of time:
/// nothing overflows, nothing hangs, and at no reading more is admitted than the limit.
#[test]
fn the_ends_of_time_are_no_trap() {
    let windows = [1, 2, 7, 1_000_000_007, u64::MAX];
    let readings = [0, 1, 5, 1 << 31, 1 << 33, u64::MAX / 2 - 1, u64::MAX, 3, u64::MAX, 0, 1 << 40];
    for algorithm in
        [1, 2, 3, Algorithm::MAX_SEGMENTS].map(Algorithm::Segmented).into_iter().chain([Algorithm::Fixed])
    {
        for window in windows.map(Duration::from_nanos) {
            for max in [1, 3, u32::MAX] {
                let clock = ManualClock::starting_at(0);
                let limits = [Limit::new(max, window).unwrap(), Limit::new(max, window * 3).unwrap()];
                let limiter = Limiter::builder().limits(limits).algorithm(algorithm).clock(&clock);
                let limiter = limiter.build().expect("it has limits");
                for (step, &reading) in readings.iter().enumerate() {
                    clock.set(reading);
                    let _ = limiter.usage();
                    let permit = limiter.try_acquire_n(max);
                    assert!(limiter.check().is_err(), "{algorithm:?}, {limits:?}, at {reading}");
                    match (step % 4, permit) {
                        (0, Ok(permit)) => permit.refund(),
                        (1, _) => limiter.reset(),
                        (2, _) => limiter.set_limits(limits).expect("they are limits"),
                        _ => {}
                    }
                }
            }
        }
    }
}

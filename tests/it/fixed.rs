//! The fixed window decides as its oracle, and lets through what its documentation says.

use std::{collections::VecDeque, sync::Mutex, time::Duration};

use windowlimit::{Algorithm, Clock, Limit, Limiter, ManualClock};
use windowlimit_tests::{
    oracle::Fixed,
    subject::on_manual_clock,
    trace::{Move, Op, Totals, compare, random_limits},
};

const NANO: Duration = Duration::from_nanos(1);

fn limiter<'c>(limits: &[Limit], clock: &'c ManualClock) -> Limiter<&'c ManualClock> {
    let limiter = Limiter::builder().limits(limits.iter().copied()).algorithm(Algorithm::Fixed).clock(clock);
    limiter.build().expect("it has limits")
}

fn admitted(limiter: &Limiter<&ManualClock>, calls: usize) -> usize {
    (0..calls).filter(|_| limiter.check().is_ok()).count()
}

#[test]
fn f14_two_windows_meet_at_an_edge() {
    for others in [&[][..], &[Limit::per_hour(1_000)]] {
        let clock = ManualClock::new();
        let limiter = limiter(&[&[Limit::per_second(5)], others].concat(), &clock);
        assert_eq!(admitted(&limiter, 1), 1);
        clock.advance(Duration::from_secs(1) - NANO);
        assert_eq!(admitted(&limiter, 9), 4);
        assert_eq!(limiter.check().unwrap_err().retry_after(), Some(NANO));
        clock.advance(NANO);
        assert_eq!(admitted(&limiter, 9), 5);
        assert_eq!(limiter.check().unwrap_err().retry_after(), Some(Duration::from_secs(1)));
    }
}

#[test]
fn f38_six_hundred_million_are_exactly_so_many() {
    let clock = ManualClock::new();
    let limiter = limiter(&[Limit::per_second(600_000_000)], &clock);
    // For longer than the nanoseconds of one word.
    for _ in 0..100 {
        assert!(limiter.check_n(599_999_999).is_ok());
        assert_eq!(admitted(&limiter, 9), 1);
        clock.advance(Duration::from_secs(1));
    }
}

#[test]
fn the_largest_limit_is_counted_for_as_long_as_one_likes() {
    let clock = ManualClock::new();
    let limiter = limiter(&[Limit::new(u32::MAX, Duration::from_millis(700)).unwrap()], &clock);
    for _ in 0..100 {
        assert!(limiter.check_n(u32::MAX).is_ok());
        assert!(limiter.check().is_err());
        clock.advance(Duration::from_millis(700));
    }
    clock.advance(Duration::from_secs(200 * 365 * 86_400));
    assert!(limiter.check_n(u32::MAX).is_ok());
    assert!(limiter.check().is_err());
}

/// A clock that makes these readings, in whatever order, and no others.
struct Scripted(Mutex<VecDeque<u64>>);

impl Clock for Scripted {
    fn now(&self) -> u64 {
        let mut readings = self.0.lock().expect("nobody panicked");
        readings.pop_front().expect("it is read as often as was foreseen")
    }
}

/// The numbers of a word run out after its window has ended, and then the clock goes back into that window.
#[test]
fn a_window_that_was_forgotten_is_not_entered_again() {
    const S: u64 = 1_000_000_000;
    let script = |readings: &[u64]| Scripted(Mutex::new(readings.iter().copied().collect()));
    let limiter = Limiter::builder()
        .limit(Limit::new(u32::MAX, Duration::from_secs(10)).unwrap())
        .algorithm(Algorithm::Fixed)
        .clock(script(&[
            10 * S,     // the window begins
            10 * S,     // the first claim
            20 * S,     // the window has ended: the next one begins too late for the word
            20 * S,     // so another word is made
            10 * S + 1, // the claim again
            20 * S + 1, // the last claim
        ]))
        .build()
        .expect("it has a limit");
    assert!(limiter.check_n(u32::MAX).is_ok());
    assert!(limiter.check_n(u32::MAX).is_ok());
    assert!(limiter.check_n(u32::MAX).is_err(), "the second window began when the first had ended");
}

#[test]
fn f43_a_cost_above_the_limit_can_never_fit() {
    let clock = ManualClock::new();
    let limiter = limiter(&[Limit::per_second(10)], &clock);
    let refusal = limiter.check_n(11).unwrap_err();
    assert_eq!((refusal.reason(), refusal.retry_after()), (windowlimit::Reason::NeverFits, None));
    assert_eq!(limiter.usage().remaining(), 10);
}

#[test]
fn a_refund_is_good_for_its_own_window_only() {
    let clock = ManualClock::new();
    let limiter = limiter(&[Limit::per_second(2)], &clock);
    let (first, second) = (limiter.try_acquire().unwrap(), limiter.try_acquire().unwrap());
    first.refund();
    assert_eq!(admitted(&limiter, 9), 1);
    clock.advance(Duration::from_secs(1));
    assert_eq!(admitted(&limiter, 9), 2);
    second.refund();
    assert_eq!(admitted(&limiter, 9), 0);
}

#[test]
fn a_million_calls_are_answered_as_by_the_oracle() {
    let mut rng = fastrand::Rng::with_seed(0x0066_6978);
    let mut totals = Totals::default();
    while totals.calls < 1_000_000 {
        let mut rng = fastrand::Rng::with_seed(rng.u64(..));
        let limits = random_limits(&mut rng);
        let length = rng.usize(1..60);
        let trace: Vec<_> = (0..length).map(|_| (Move::random(&mut rng), Op::random(&mut rng))).collect();
        totals += on_manual_clock(&limits, Algorithm::Fixed, true, |subject| {
            compare(subject, &mut Fixed::new(&limits), &limits, &trace)
        });
    }
    let Totals { calls, admitted } = totals;
    assert!(admitted > calls / 5 && admitted < calls * 4 / 5, "{admitted} of {calls}");
}

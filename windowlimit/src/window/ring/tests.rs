use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use super::Ring;
use crate::{Clock, Limit, Limiter, ManualClock, limits::Limits};

#[test]
fn two_that_found_a_circle_full_grow_it_once() {
    let ring = Ring::from_admissions(1_000, &[1, 2, 3, 4, 5, 6, 7]);
    assert!(ring.grow().is_ok() && ring.grow().is_ok());
    assert_eq!(ring.current().1.capacity(), 28);
}

/// The clock goes back behind it, and what is decided at the newest instant has room.
#[test]
fn who_is_admitted_by_the_longer_way_takes_back_what_was_known() {
    let (limit, clock) = (Limit::per_second(2), ManualClock::new());
    let (ring, limits) = (Ring::new(2), Limits::one(limit));
    let decide = || ring.check_at_once(&limit, &clock).map(|decided| decided.is_ok());
    assert_eq!([decide(), decide(), decide()], [Some(true), Some(true), Some(false)]);
    assert!(!ring.full_until.known().is_nothing());
    clock.advance(Duration::from_secs(2));
    assert!(ring.claim::<false, _>(&limits, 0, &clock).is_ok());
    assert!(ring.full_until.known().is_nothing());
    clock.set(0);
    assert_eq!([decide(), decide()], [Some(true), Some(false)]);
}

#[test]
fn nothing_is_known_of_a_window_that_never_ends() {
    let (limit, clock) = (Limit::new(1, Duration::MAX).expect("it is long"), ManualClock::new());
    let ring = Ring::new(1);
    let decide = || ring.check_at_once(&limit, &clock).map(|decided| decided.is_ok());
    assert_eq!([decide(), decide(), decide()], [Some(true), Some(false), Some(false)]);
    assert!(ring.full_until.known().is_nothing());
}

/// A clock at which others come while a caller reads it: what they do is told by the count of its readings.
#[derive(Default)]
struct Stage {
    now: AtomicU64,
    readings: AtomicU64,
}

const MS: u64 = 1_000_000;

static STAGE: Stage = Stage { now: AtomicU64::new(1_000 * MS), readings: AtomicU64::new(0) };
static STAGED: Limiter<&Stage> = Limiter::with_clock("staged", &[Limit::per_second(9)], &STAGE);

impl Clock for Stage {
    fn now(&self) -> u64 {
        let now = self.now.load(Ordering::Relaxed);
        match self.readings.fetch_add(1, Ordering::Relaxed) {
            // The caller reads it and is overtaken, at the same time: so it loses its claim, and the next one too.
            0 | 2 => assert!(STAGED.check().is_ok()),
            // It reads it before it looks again, and stalls: another is admitted later, and still it does not look.
            4 => {
                self.now.store(1_500 * MS, Ordering::Relaxed);
                assert!(STAGED.check().is_ok());
                self.now.store(1_900 * MS, Ordering::Relaxed);
            }
            _ => {}
        }
        now
    }
}

#[test]
fn who_stalls_over_a_reading_is_not_entered_when_others_were() {
    assert!(STAGED.check().is_ok());
    assert_eq!(STAGED.usage().live(), 4);
    STAGE.now.store(2_600 * MS, Ordering::Relaxed);
    assert_eq!(STAGED.usage().live(), 1, "the caller was admitted at 1900, the others at 1000 and 1500");
}

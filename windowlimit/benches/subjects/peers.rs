//! What others use: the fastest approximate limiter, exact logs of other crates, and what one writes by hand.

use std::{collections::VecDeque, num::NonZeroU32, sync::PoisonError, time::Duration};

use governor::{Quota, RateLimiter, nanos::Nanos};
use rate_net::{Algorithm, DirectLimiter};
use throttle_net::SlidingWindowLog;
use windowlimit::{Clock as _, SystemClock};

use super::{Case, Subject};

pub(super) fn all(max: u32, case: Case) -> Vec<Subject> {
    vec![
        governor(max, case),
        by_hand(Subject::STD_MUTEX, std_mutex(), max, case, When::Inside),
        by_hand("`std` mutex, clock read outside", std_mutex(), max, case, When::Outside),
        by_hand("`parking_lot` mutex, `VecDeque`", parking_lot::Mutex::default(), max, case, When::Inside),
        rate_net(max, case),
        throttle_net(max, case),
    ]
}

/// Our clock in governor's words, so that both sides pay for the same reading.
#[derive(Clone)]
struct SameClock;

impl governor::clock::Clock for SameClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::new(SystemClock.now())
    }
}

/// A cell each ten nanoseconds, and as many at once as the limit; or a cell each hour.
fn governor(max: u32, case: Case) -> Subject {
    let period = match case {
        Case::Admit => case.window(1),
        Case::Refuse => case.window(max),
    };
    let burst = NonZeroU32::new(max).expect("no limit here is 0");
    let quota = Quota::with_period(period).expect("the period is above zero").allow_burst(burst);
    let limiter = RateLimiter::direct_with_clock(quota, SameClock);
    Subject::new(Subject::GOVERNOR, case, move || limiter.check().is_ok())
}

fn rate_net(max: u32, case: Case) -> Subject {
    let quota = rate_net::Quota::rate(max, case.window(max)).expect("neither is zero");
    let limiter = DirectLimiter::with_quota(quota).with_algorithm(Algorithm::SlidingWindowLog);
    Subject::new("rate-net, `SlidingWindowLog`", case, move || limiter.check().is_allow())
}

fn throttle_net(max: u32, case: Case) -> Subject {
    let limiter = SlidingWindowLog::new(max, case.window(max));
    Subject::new("throttle-net, `SlidingWindowLog`", case, move || limiter.try_acquire())
}

/// Where a caller of a log reads the clock.
#[derive(Clone, Copy)]
enum When {
    /// Under the lock: as in windowlimit, no admission is entered before the moment at which it was decided.
    Inside,
    /// Before it, which holds the lock for less long. An admission may be entered as early as when its caller began to
    /// wait, so that it leaves earlier.
    Outside,
}

/// A lock around the instants of the admissions.
trait Lock: Send + Sync + 'static {
    fn locked<R>(&self, change: impl FnOnce(&mut VecDeque<u64>) -> R) -> R;
}

impl Lock for std::sync::Mutex<VecDeque<u64>> {
    fn locked<R>(&self, change: impl FnOnce(&mut VecDeque<u64>) -> R) -> R {
        change(&mut self.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Lock for parking_lot::Mutex<VecDeque<u64>> {
    fn locked<R>(&self, change: impl FnOnce(&mut VecDeque<u64>) -> R) -> R {
        change(&mut self.lock())
    }
}

fn std_mutex() -> std::sync::Mutex<VecDeque<u64>> {
    std::sync::Mutex::default()
}

/// An exact log as one writes it by hand.
fn by_hand(name: &'static str, lock: impl Lock, max: u32, case: Case, when: When) -> Subject {
    let window = nanos(case.window(max));
    let max = max as usize;
    Subject::new(name, case, move || {
        let outside = match when {
            When::Outside => Some(SystemClock.now()),
            When::Inside => None,
        };
        lock.locked(|admissions| {
            let reading = outside.unwrap_or_else(|| SystemClock.now());
            // Who waited for the lock may come later than others that read the clock after it.
            let now = admissions.back().map_or(reading, |&newest| reading.max(newest));
            while admissions.front().is_some_and(|&oldest| oldest + window <= now) {
                admissions.pop_front();
            }
            let admits = admissions.len() < max;
            if admits {
                admissions.push_back(now);
            }
            admits
        })
    })
}

fn nanos(duration: Duration) -> u64 {
    duration.as_nanos().try_into().expect("an hour at most")
}

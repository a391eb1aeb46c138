//! What one writes by hand: an exact log behind a lock.

use std::{collections::VecDeque, sync::PoisonError, time::Duration};

use windowlimit::{Clock as _, SystemClock};

use super::{Case, Reads, Subject};

pub(super) fn all(max: u32, case: Case) -> Vec<Subject> {
    vec![
        by_hand(Subject::STD_MUTEX, std_mutex(), max, case, When::Inside),
        by_hand(Subject::STD_MUTEX_OUTSIDE, std_mutex(), max, case, When::Outside),
        by_hand(Subject::PARKING_LOT, parking_lot::Mutex::default(), max, case, When::Inside),
    ]
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
    Subject::new(name, Reads::System, case, move || {
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
